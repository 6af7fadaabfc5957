/* SPDX-License-Identifier: MIT */
/* The cost of a tick's handler, by windows of a few ticks at the start. */
#include "kernel/tick/costs.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/cpu.h"
#include "kernel/lib/run_state.h"
#include "kernel/source/nmi.h"
#include "kernel/source/sampler.h"
#include "kernel/source/source_pit.h"
#include "kernel/source/straight/pit_plain_tick.h"
#include "kernel/tick/sources.h"
#include "kernel/tick/tick_plan.h"
#include "kernel/tick/window.h"
#include "probe/core/order_statistics.h"
#include "probe/core/timed.h"

#define LONGEST_PART   4u     /* of a second: the ticks take 22 ms */
#define HANDLER_TICKS  32
#define HANDLER_MEAN   800u   /* counts of the 8254: room for the slowest handler */
#define SHIFT          1u     /* a unit of the schedule is two clock units */
#define EXIT_TICKS     8      /* the last is measured: those before have warmed the caches */
#define EXIT_MARGIN    8u     /* a part of the exit */
#define ROOM_PART      32u    /* of the mean interval */
#define PERIODIC_HZ    1024u  /* a rate of every periodic device but a UART */

/* The times that ticks took of a loop that reads the clock, before the shortest round of it is subtracted. */
struct stretches {
    unsigned count;
    uint64_t took[HANDLER_TICKS];
    uint64_t round; /* the shortest time from one reading to the next */
    uint64_t first, monitor; /* ticks by the time that the first was seen, and what their handlers had taken */
};

/* Ticks behind those that were left out. */
static uint64_t ticks_behind(const struct stretches *s)
{
    return probe_ticks(&probe) - s->first;
}

/* What their handlers took in the mean; once are_enough(). */
static uint64_t mean_handler(const struct stretches *s)
{
    return (probe.monitor - s->monitor) / ticks_behind(s);
}

/*
 * The first tick checks whether its window closes, reads the counter and makes a row:
 * it takes longer than those of a run.
 */
static void leave_out_first(struct stretches *s)
{
    do {
        s->first = probe_ticks(&probe);
        s->monitor = *(volatile uint64_t *)&probe.monitor;
    } while (s->first != probe_ticks(&probe));
}

/*
 * A tick is counted between two readings of the counter, and so lies between the two readings of the clock before and
 * behind one of them: the longer one has it.
 */
static bool watch_ticks(struct stretches *s, bool (*done)(const struct stretches *s))
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
        is_done = seen != 0 && done(s);
    } while (!is_done && last - begin < longest);
    return is_done;
}

/* The median: an SMI or a tick that took another path lengthens few of them. */
static uint64_t usual_of(struct stretches *s)
{
    order_sort(s->took, s->count);
    return s->count != 0 ? timed_beyond(s->took[s->count / 2], s->round) : 0;
}

/* What ticks are run for a measurement. */
struct trial {
    uint64_t mean;        /* interval, counts of the source, so many clock units 65536 of them: */
    uint64_t clock_65536;
    uint64_t goal;        /* UINT64_MAX: none */
    bool relative;        /* each interval begins with the tick */
    bool general;         /* no tick is usual: each reads the clock before it arms */
};

/* The ticks are far apart: what a handler needs is a small part of that. */
static void set_schedule(const struct trial *t)
{
    const struct schedule_request request = {
        .policy = run_config()->interval,
        .mean = t->relative ? t->mean << 16 : t->mean * t->clock_65536 >> SHIFT,
        .minimum = t->relative,
        .spread = 1000,
        .seed = 1,
    };

    schedule_init(&probe.schedule, &request);
    probe.goal = t->goal;
    probe.relative = t->relative;
    probe.shift = SHIFT;
    probe.exit = (t->mean * t->clock_65536 >> 16) / ROOM_PART;
    probe.room = t->general ? UINT64_MAX / 2 : probe.exit;
    source_pit_set_way(probe.exit / ROOM_PART, probe.room);
}

/* Run ticks of tick_source with the monitors in force until `done`.  False where they stop before. */
static bool run_ticks(struct stretches *s, const struct trial *t, bool (*done)(const struct stretches *s),
                      uint32_t account)
{
    const uint32_t asked = account_on;
    bool is_done;

    account_on = account;
    set_schedule(t);
    window_prepare();
    window_begin();
    point_queue_fill(&probe.queue, 2 * HANDLER_TICKS); /* as in a run: the tick draws no interval itself */
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

/* A loop that a hypervisor stops for long sees its first tick late: those before it are not counted. */
static bool are_enough(const struct stretches *s)
{
    return ticks_behind(s) >= HANDLER_TICKS - 1;
}

static bool exit_is_usual(const struct stretches *s)
{
    return s->first + ticks_behind(s) >= EXIT_TICKS;
}

static bool have_stopped(const struct stretches *s)
{
    (void)s;
    return probe.close == PROBE_STOPPED;
}

/* Of two sources each is wrapped, and its interrupts come by the common entry. */
static const struct source *as_it_runs(const struct source *s)
{
    return run_config()->second_tick != TICK_AUTO ? dual_source_wrap(0, s) : s;
}

/* What a tick takes; `s` has that with the account, which `account=off` does without. */
static bool take_tick(struct handler_cost *cost, struct stretches *s, const struct trial *t)
{
    if (run_config()->account == CONFIG_ACCOUNT_OFF && !run_ticks(s, t, are_enough, ACCOUNT_OFF))
        return false;
    cost->tick = usual_of(s);
    return true;
}

/*
 * From the reading before the arming to the end of IRETQ, with a margin:
 * a tick that is due before the end would wait for it.
 */
static bool take_exit(struct handler_cost *cost, const struct trial *t)
{
    struct trial general = *t;
    struct stretches s;

    general.relative = false;
    general.general = true;
    if (!run_ticks(&s, &general, exit_is_usual, timing_account()))
        return false;
    cost->exit = (probe.via_nmi ? nmi_exit_time() : account.last) - probe.looked;
    cost->exit += cost->exit / EXIT_MARGIN;
    return true;
}

static struct trial trial_of(uint64_t clock_65536, bool relative)
{
    return (struct trial){
        .mean = HANDLER_MEAN * tick_facts.calibration.per_65536 / clock_65536, .clock_65536 = clock_65536,
        .goal = UINT64_MAX,
        .relative = relative,
    };
}

bool handler_cost_of_pit(struct handler_cost *cost, struct refusal *why)
{
    const struct trial trial = trial_of(tick_facts.calibration.per_65536, run_config()->arm == ARM_RELATIVE);
    struct stretches s;

    if (run_config()->second_tick != TICK_AUTO)
        dual_source_measure();
    sources_set(as_it_runs(probe.via_nmi ? &source_pit_nmi : &source_pit), 0); /* whose handler takes longest */
    if (!run_ticks(&s, &trial, are_enough, timing_account()))
        return stopped(why);
    cost->handler = mean_handler(&s);
    cost->lead = cost->handler - source_pit_arm_to_exit();
    return (take_tick(cost, &s, &trial) && take_exit(cost, &trial)) || stopped(why);
}

/*
 * The time from the first tick to the last is intervals and, between them, where intervals begin in the handler, the
 * time from expiry to the next arming: nothing else runs that could delay a tick.  The last tick
 * closes the window, which takes longer, so that the handler is measured in a run of its own.
 */
bool handler_cost_of_source(struct handler_cost *cost, const struct source_facts *f, struct refusal *why)
{
    const struct trial trial = trial_of(f->clock_65536, run_config()->arm == ARM_RELATIVE);
    const struct probe_closed *const c = &probe.closed;
    struct trial series = trial;
    struct schedule first;
    struct stretches s;
    uint64_t counts;

    sources_set(as_it_runs(tick_source), 0);
    if (!run_ticks(&s, &trial, are_enough, timing_account()))
        return stopped(why);
    cost->handler = mean_handler(&s);
    series.relative = true;
    series.goal = HANDLER_TICKS;
    if (!take_tick(cost, &s, &trial) || !take_exit(cost, &trial) ||
        !run_ticks(&s, &series, have_stopped, timing_account()))
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
    sources_set(as_it_runs(tick_source), 0);
    came = run_ticks(&s, &(struct trial){ .mean = timed.mean >> 16, .clock_65536 = timed.clock_65536,
                                          .goal = UINT64_MAX, .relative = true }, are_enough,
                     run_config()->account == CONFIG_ACCOUNT_OFF ? ACCOUNT_OFF : timing_account());
    tick_facts.source = before;
    cost->tick = came ? usual_of(&s) : 0;
    return came || stopped(why);
}

/* What set_schedule() changes. */
struct in_force {
    struct schedule schedule;
    struct pit_tick pit;
    uint64_t goal, exit, room;
    unsigned shift;
    bool relative;
};

static struct in_force in_force(void)
{
    return (struct in_force){ probe.schedule, pit_tick, probe.goal, probe.exit, probe.room, probe.shift,
                              probe.relative };
}

static void put_in_force(const struct in_force *f)
{
    probe.schedule = f->schedule;
    pit_tick = f->pit;
    probe.goal = f->goal;
    probe.exit = f->exit;
    probe.room = f->room;
    probe.shift = f->shift;
    probe.relative = f->relative;
}

/* Runs as long as those of the start, so that no tick finds the queue of points empty. */
unsigned handler_cost_series(uint64_t *took, unsigned room)
{
    const uint32_t account = run_config()->account == CONFIG_ACCOUNT_OFF ? ACCOUNT_OFF : timing_account();
    const struct trial trial = trial_of(tick_facts.source.clock_65536, probe.relative);
    const struct in_force before = in_force();
    struct stretches s;
    unsigned count = 0;

    while (tick_source->variable && count + HANDLER_TICKS <= room && run_ticks(&s, &trial, are_enough, account))
        for (unsigned i = 0; i < s.count; i++)
            took[count++] = timed_beyond(s.took[i], s.round);
    put_in_force(&before);
    return count;
}
