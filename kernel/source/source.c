/* SPDX-License-Identifier: MIT */
/* The table of the tick sources: tick=auto chooses the first, in the order of enum config_tick, that works. */
#include "kernel/source/source.h"

#define HANDLER_SHARE 2u /* a handler may take half of the time between two ticks */

static const struct source *const sources[TICK_NONE + 1] = {
    [TICK_PIT] = &source_pit, [TICK_HPET] = &source_hpet, [TICK_LAPIC] = &source_lapic, [TICK_RTC] = &source_rtc,
    [TICK_PIT_PERIODIC] = &source_pit_periodic, [TICK_CLOCK] = &source_clock,
    [TICK_SLU] = &source_slu, [TICK_SLU_TIMEOUT] = &source_slu_timeout,
};

static const struct source *const nmi_sources[TICK_NONE + 1] = {
    [TICK_PIT] = &source_pit_nmi, [TICK_HPET] = &source_hpet_nmi, [TICK_SLU] = &source_slu, [TICK_SLU_TIMEOUT] = &source_slu_timeout,
};

const struct source *source_of(enum config_tick tick, bool via_nmi)
{
    return via_nmi ? nmi_sources[tick] : sources[tick];
}

bool source_check_load(const struct source_facts *f, const struct source_request *r, const char *cure, struct refusal *why)
{
    const uint64_t period = source_period(f);

    if (r->handler <= period / HANDLER_SHARE)
        return true;
    return REFUSE_WITH(why, "the handler of a tick takes %1 of the time between two: ask for %2",
                       REFUSAL_MILLI(r->handler * 1000 / period), REFUSAL_STRING(cure));
}
