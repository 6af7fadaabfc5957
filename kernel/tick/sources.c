/* SPDX-License-Identifier: MIT */
/* Keeps the table of tick sources, of which tick=auto chooses the first that works, and puts sources into force. */
#include "kernel/tick/sources.h"

#include "kernel/measure/one_shot.h"
#include "kernel/sched/timer.h"
#include "kernel/slu/uart_tick.h"
#include "kernel/source/sampler.h"

static const struct source *const sources[TICK_NONE + 1] = {
    [TICK_PIT] = &source_pit, [TICK_HPET] = &source_hpet, [TICK_LAPIC] = &source_lapic, [TICK_RTC] = &source_rtc,
    [TICK_PIT_PERIODIC] = &source_pit_periodic, [TICK_CLOCK] = &source_clock,
    [TICK_SLU] = &source_slu, [TICK_SLU_TIMEOUT] = &source_slu_timeout,
};

static const struct source *const nmi_sources[TICK_NONE + 1] = {
    [TICK_PIT] = &source_pit_nmi, [TICK_HPET] = &source_hpet_nmi,
    [TICK_SLU] = &source_slu, [TICK_SLU_TIMEOUT] = &source_slu_timeout,
};

const struct source *source_of(enum config_tick tick, bool via_nmi)
{
    return via_nmi ? nmi_sources[tick] : sources[tick];
}

static void route(const struct source *s)
{
    if (s != 0 && s->interrupt != 0 && s->vector != SOURCE_NO_VECTOR)
        irq_register_tick(s->vector != 0 ? s->vector : timer_vector(), s->interrupt, s->vector == 0);
}

static bool is_watched(const struct source *s)
{
    return s != 0 && s->poll != 0;
}

/* At each tick of the system clock: a source whose interrupt was lost is restarted. */
static void watch_sources(uint64_t now)
{
    if (is_watched(tick_source))
        tick_source->poll(now);
    if (is_watched(tick_source2))
        tick_source2->poll(now);
}

/* The 8254, or what stands for it, is the reference of all measuring: its interrupt has a handler in any case. */
void sources_set(const struct source *first, const struct source *second)
{
    for (unsigned vector = 0; vector < sizeof irqs / sizeof irqs[0]; vector++)
        irq_register_tick(vector, 0, false);
    tick_source = first;
    tick_source2 = second;
    timer_on_tick(is_watched(first) || is_watched(second) ? watch_sources : 0);
    route(&source_pit);
    if (reference_tick() != TICK_NONE)
        route(source_of(reference_tick(), false));
    route(second);
    route(first);
}
