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
#define PERIODIC_HZ    1024u  /* a rate of every periodic device but a UART */

/* The times that ticks took of a loop that reads the clock, before the shortest round of it is subtracted. */
struct stretches {
    unsigned count;
    uint64_t took[HANDLER_TICKS];
    uint64_t round; /* the shortest time from one reading to the next */
    uint64_t first, monitor; /* ticks by the time that the first was seen, and what their handlers had taken */
};

/* What the handlers of all ticks but the first took in the mean. */
static uint64_t mean_handler(const struct stretches *s)
{
    return (probe.monitor - s->monitor) / (probe_ticks(&probe) - s->first);
}

/* The first tick checks whether its window closes, reads the counter and makes a row: it takes longer than those of a run. */
static void leave_out_first(struct stretches *s)
{
    do {
        s->first = probe_ticks(&probe);
        s->monitor = *(volatile uint64_t *)&probe.monitor;
    } while (s->first != probe_ticks(&probe));
}

/*
 * A tick is counted between two readings of the counter, and so lies between the two readings of the clock before and behind
 * one of them: the longer one has it.
 */
static bool watch_ticks(struct stretches *s, bool (*done)(void))
{
    const uint64_t longest = tick_facts.calibration.rate.clock_hz / LONGEST_PART, begin = rdtsc();
    uint64_t last = begin, before = 0, seen = 0;
    bool is_done, came = false;

    s->count = 0;
    s->round = UINT64_MAX;
    do {
        const uint64_t now = rdtsc(), took = now - last;
        uint64_t ticks;

        if (came && s->count < HANDLER_TICKS)
            s->took[s->count++] = took > before ? took : before;
        if (s->count != 0 && took < s->round) /* a round before the first tick is shorter: it does not ask done() */
            s->round = took;
        ticks = probe_ticks(&probe); /* the first tick sets both its words, and may come between them */
        came = ticks != seen;
        if (seen == 0 && came)
            leave_out_first(s);
        seen = ticks;
        before = took;
        last = now;
        is_done = *(volatile uint64_t *)&probe.counters.ticks != 0 && done(); /* after the first tick */
    } while (!is_done && last - begin < longest);
    return is_done;
}

/* The median: an SMI or a tick that took another path lengthens few of them. */
static uint64_t usual_of(struct stretches *s)
{
    for (unsigned i = 1; i < s->count; i++)
        for (unsigned j = i; j > 0 && s->took[j] < s->took[j - 1]; j--) {
            const uint64_t longer = s->took[j - 1];

            s->took[j - 1] = s->took[j];
            s->took[j] = longer;
        }
    return s->count != 0 && s->took[s->count / 2] > s->round ? s->took[s->count / 2] - s->round : 0;
}

/*
 * Run ticks of tick_source with the monitors in force and intervals of `mean` counts,
 * until `done`.  False where they stop before.
 */
static bool run_ticks(struct stretches *s, uint64_t mean, uint64_t goal, bool (*done)(void), uint32_t account)
{
    const struct schedule_request request = {
        .policy = run_config()->interval,
        .mean = mean << 16,
        .minimum = 1,
        .spread = 1000,
        .seed = 1,
    };
    const uint32_t asked = account_on;
    bool is_done;

    account_on = account;
    schedule_init(&probe.schedule, &request);
    probe.goal = goal;
    window_begin();
    interval_queue_fill(&probe.queue, 2 * HANDLER_TICKS); /* as in a run: the tick draws no interval itself */
    cpu_interrupts_on();
    is_done = watch_ticks(s, done);
    cpu_interrupts_off();
    window_stop();
    account_on = asked;
    return is_done;
}

/* The account by which handlers are timed: the one that will be kept, and where none will, one all the same. */
static uint32_t timing_account(void)
{
    return run_config()->account == CONFIG_ACCOUNT_LOG ? ACCOUNT_LOGGED : ACCOUNT_KEPT;
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

/* What a tick takes; `s` has that with the account, which `account=off` does without. */
static bool take_tick(struct handler_cost *cost, struct stretches *s, uint64_t mean)
{
    if (run_config()->account == CONFIG_ACCOUNT_OFF && !run_ticks(s, mean, UINT64_MAX, are_enough, ACCOUNT_OFF))
        return false;
    cost->tick = usual_of(s);
    return true;
}

bool handler_cost_of_pit(struct handler_cost *cost, struct refusal *why)
{
    struct stretches s;

    if (run_config()->second_tick != TICK_AUTO)
        dual_source_measure();
    sampler_set_sources(as_it_runs(probe.via_nmi ? &source_pit_nmi : &source_pit), 0); /* whose handler takes longest */
    if (!run_ticks(&s, HANDLER_MEAN, UINT64_MAX, are_enough, timing_account()))
        return stopped(why);
    cost->handler = mean_handler(&s);
    cost->lead = cost->handler - source_pit_arm_to_exit();
    return take_tick(cost, &s, HANDLER_MEAN) || stopped(why);
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
    struct stretches s;
    uint64_t counts;

    sampler_set_sources(as_it_runs(tick_source), 0);
    if (!run_ticks(&s, mean, UINT64_MAX, are_enough, timing_account()))
        return stopped(why);
    cost->handler = mean_handler(&s);
    if (!take_tick(cost, &s, mean) || !run_ticks(&s, mean, HANDLER_TICKS, have_stopped, timing_account()))
        return stopped(why);
    first = probe.schedule;
    counts = c->intervals - schedule_next(&first);
    cost->lead = (c->counters.end - c->counters.first - (counts * f->clock_65536 >> 16)) / (HANDLER_TICKS - 1);
    return true;
}

bool handler_cost_of_periodic(struct handler_cost *cost, const struct source_facts *f, struct refusal *why)
{
    const struct source_facts before = tick_facts.source;
    struct source_facts timed = *f;
    struct stretches s;
    bool came;

    if (!tick_source->set_rate(&timed, &(struct source_request){ .rate = PERIODIC_HZ }, why))
        return false;
    tick_facts.source = timed; /* a source starts by the facts in force */
    sampler_set_sources(as_it_runs(tick_source), 0);
    came = run_ticks(&s, timed.mean >> 16, UINT64_MAX, are_enough,
                     run_config()->account == CONFIG_ACCOUNT_OFF ? ACCOUNT_OFF : timing_account());
    tick_facts.source = before;
    cost->tick = came ? usual_of(&s) : 0;
    return came || stopped(why);
}

/* Runs as long as those of the start, so that no tick finds the queue of intervals empty. */
unsigned handler_cost_series(uint64_t *took, unsigned room)
{
    const struct schedule schedule = probe.schedule;
    const uint64_t goal = probe.goal;
    const uint32_t account = run_config()->account == CONFIG_ACCOUNT_OFF ? ACCOUNT_OFF : timing_account();
    const uint64_t mean = HANDLER_MEAN * tick_facts.calibration.per_65536 / tick_facts.source.clock_65536;
    struct stretches s;
    unsigned count = 0;

    while (tick_source->variable && count + HANDLER_TICKS <= room && run_ticks(&s, mean, UINT64_MAX, are_enough, account))
        for (unsigned i = 0; i < s.count; i++)
            took[count++] = s.took[i] > s.round ? s.took[i] - s.round : 0;
    probe.schedule = schedule;
    probe.goal = goal;
    return count;
}
