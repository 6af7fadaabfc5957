/* SPDX-License-Identifier: MIT */
/* The cost of a tick's handler, by windows of a few ticks at the start. */
#include "kernel/tick/handler_cost.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/cpu.h"
#include "kernel/lib/run_state.h"
#include "kernel/source/dual_source.h"
#include "kernel/source/sampler.h"
#include "kernel/source/source_pit.h"
#include "kernel/tick/window.h"

#define LONGEST_PART   4u     /* of a second: the ticks take 22 ms */
#define HANDLER_TICKS  32
#define HANDLER_MEAN   800u   /* counts of the 8254: room for the slowest handler */

/*
 * Run ticks of tick_source with the monitors in force and intervals of `mean` counts,
 * until `done`.  False where they stop before.
 */
static bool run_ticks(uint64_t mean, uint64_t goal, bool (*done)(void))
{
    const struct schedule_request request = {
        .policy = run_config()->interval,
        .mean = mean << 16,
        .minimum = 1,
        .spread = 1000,
        .seed = 1,
    };
    const uint32_t asked = account_on;
    const uint64_t longest = tick_facts.calibration.rate.clock_hz / LONGEST_PART;
    uint64_t begin;
    bool is_done;

    account_on = run_config()->account == CONFIG_ACCOUNT_LOG ? ACCOUNT_LOGGED : ACCOUNT_KEPT;
    schedule_init(&probe.schedule, &request);
    probe.goal = goal;
    window_begin();
    interval_queue_fill(&probe.queue, 2 * HANDLER_TICKS); /* as in a run: the tick draws no interval itself */
    begin = rdtsc();
    cpu_interrupts_on();
    do
        is_done = *(volatile uint64_t *)&probe.counters.ticks != 0 && done(); /* after the first tick */
    while (!is_done && rdtsc() - begin < longest);
    cpu_interrupts_off();
    window_stop();
    account_on = asked;
    return is_done;
}

static bool stopped(struct refusal *why)
{
    return REFUSE_WITH(why, "its ticks stopped: of %1 due within a quarter of a second %2 came",
                       REFUSAL_NUMBER(HANDLER_TICKS), REFUSAL_NUMBER(probe_ticks(&probe)));
}

static bool are_enough(void)
{
    return probe_ticks(&probe) >= HANDLER_TICKS;
}

static bool have_stopped(void)
{
    return probe.close == PROBE_STOPPED;
}

/* Of two sources each is wrapped, and its interrupts come by the common entry. */
static const struct source *as_it_runs(const struct source *s)
{
    return run_config()->second_tick != TICK_AUTO ? dual_source_wrap(0, s) : s;
}

bool handler_cost_of_pit(struct handler_cost *cost, struct refusal *why)
{
    if (run_config()->second_tick != TICK_AUTO)
        dual_source_measure();
    sampler_set_sources(as_it_runs(probe.via_nmi ? &source_pit_nmi : &source_pit), 0); /* whose handler takes longest */
    if (!run_ticks(HANDLER_MEAN, UINT64_MAX, are_enough))
        return stopped(why);
    cost->handler = probe.monitor / probe_ticks(&probe);
    cost->lead = cost->handler - source_pit_arm_to_exit();
    return true;
}

/*
 * The time from the first tick to the last is intervals and, between them, the time from
 * expiry to the next arming: nothing else runs that could delay a tick.  The last tick
 * closes the window, which takes longer, so that the handler is measured in a run of its own.
 */
bool handler_cost_of_source(struct handler_cost *cost, const struct source_facts *f, struct refusal *why)
{
    const uint64_t mean = HANDLER_MEAN * tick_facts.calibration.per_65536 / f->clock_65536;
    const struct probe_closed *const c = &probe.closed;
    struct schedule first;
    uint64_t counts;

    sampler_set_sources(as_it_runs(tick_source), 0);
    if (!run_ticks(mean, UINT64_MAX, are_enough))
        return stopped(why);
    cost->handler = probe.monitor / probe_ticks(&probe);
    if (!run_ticks(mean, HANDLER_TICKS, have_stopped))
        return stopped(why);
    first = probe.schedule;
    counts = c->intervals - schedule_next(&first);
    cost->lead = (c->counters.end - c->counters.first - (counts * f->clock_65536 >> 16)) / (HANDLER_TICKS - 1);
    return true;
}
