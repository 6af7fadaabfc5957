/* SPDX-License-Identifier: MIT */
/*
 * A tick from its entry to the next interval (probe/core/probe.c), its window and how that
 * closes, on a simulated clock and source: every state, every loss, one sampler and two.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/core/probe.h"
#include "probe/core/splitmix64.h"

#define COST  40u   /* clock units of a handler */
#define FLOOR 7u    /* clock units from expiry to entry that nothing delayed */
#define LATE  20u   /* above it a tick is late; out of HLT twice either */
#define TASKS 4u

static struct probe p, q;
static struct account account;
static uint64_t now, task_time[TASKS], random_state;
static unsigned copies; /* windows that were closed */

static uint64_t below(uint64_t width)
{
    return splitmix64_mix(random_state += SPLITMIX64_GAMMA) % width;
}

static uint64_t clock_now(void)
{
    return now;
}

static void copy_exact_rows(struct probe *of)
{
    assert_true(of == &p || of == &q);
    copies++;
}

static void set_up(struct probe *of, uint64_t seed, uint64_t goal, uint32_t monitors)
{
    const struct schedule_request request = {
        .policy = "stratified", .rng = "carta", .mean = 1000ull << 16, .minimum = 3, .seed = seed,
    };

    memset(of, 0, sizeof *of);
    assert_null(schedule_init(&of->schedule, &request));
    of->running = (struct probe_lateness){ FLOOR, LATE };
    of->halted = (struct probe_lateness){ 2 * FLOOR, 2 * LATE };
    of->account = &account;
    of->exact = true;
    of->goal = goal;
    of->clock = clock_now;
    of->copy_exact_rows = copy_exact_rows;
    probe_set_monitors(of, monitors);
    probe_prepare(of);
}

/* A window, and its first interval. */
static uint64_t begin(uint64_t seed, uint64_t start, uint64_t goal, uint32_t monitors)
{
    set_up(&p, seed, goal, monitors);
    memset(task_time, 0, sizeof task_time);
    copies = 0;
    random_state = seed;
    now = start;
    account = (struct account){ .last = now, .cell = &task_time[0] };
    return probe_begin(&p, now);
}

/* The tick that `interval` was armed for; the handler begins `lateness` after it.  The next interval. */
static uint64_t tick(struct probe *of, uint64_t interval, uint64_t lateness, bool halted, uint32_t task)
{
    const struct probe_event e = {
        .sample = { .time = now += interval + lateness, .pc = 0x1000 + task, .task = task + 1,
                    .mode = (enum mode)(task % MODES) },
        .lateness = lateness, .halted = halted,
    };

    probe_enter(of, &e);
    interval = probe_is_late(of, &e) ? probe_tick_late(of, &e) : probe_tick_on_time(of, &e);
    now += COST;
    account_switch_at(&account, now, &task_time[(task + 1) % TASKS]);
    return interval;
}

static uint64_t timely(uint64_t interval)
{
    return tick(&p, interval, FLOOR, false, 0);
}

/* ---- what a window holds ---- */

static void check_window(uint64_t seed, uint64_t start)
{
    struct schedule s;
    struct probe_counters c = { .begin = start };
    uint64_t interval = begin(seed, start, UINT64_MAX, PROBE_SYSTEM), hits = 0, monitor = 0, tasks = 0;

    s = p.schedule;
    for (uint32_t i = 1; i <= 5000; i++) {
        const bool halted = below(3) == 0;
        const uint64_t lateness = below(4) != 0 ? below(2 * LATE + 3) : below(1ull << below(40));
        const uint64_t limit = halted ? 2 * LATE : LATE, floor = halted ? 2 * FLOOR : FLOOR;

        assert_int_equal(interval, schedule_next(&s));
        if (lateness > limit) {
            c.late++;
            c.lateness += lateness;
            c.excess += lateness - floor;
            c.bucket[64 - __builtin_clzll(lateness)]++;
        }
        if (i == 5000)
            probe_request_close(&p, PROBE_CLOSE_REQUESTED);
        if (i == 1 || i == 5000)
            c.end = now + interval + lateness - (lateness < floor ? lateness : floor);
        c.first = i == 1 ? c.end : c.first;
        monitor += (lateness < floor ? lateness : floor) + (i < 5000 ? COST : 0);
        interval = tick(&p, interval, lateness, halted, (uint32_t)below(TASKS));
        assert_int_equal(probe_ticks(&p), i);
        if (i % 100 == 0)
            interval_queue_fill(&p.queue, below(300));
    }
    c.ticks = 5000;
    assert_int_equal(copies, 1);
    assert_memory_equal(&p.closed.counters, &c, sizeof c);
    assert_int_equal(p.closed.intervals, s.sum);
    assert_int_equal(p.closed.generator, s.generator);
    for (unsigned task = 0; task < TASKS; task++) {
        tasks += task_time[task];
        hits += system_hits(&p.closed.system, task + 1);
        hits += task == MODE_INTERRUPT ? p.closed.system.record[task + 1].hits[task] : 0; /* not its own doing */
    }
    assert_int_equal(hits + p.closed.system.masked.hits[MODES], 5000);
    assert_int_equal(p.closed.system.masked.hits[MODES], c.late);
    assert_int_equal(p.monitor + tasks, now - start);
    assert_int_equal(p.closed.transitions, 2 * 5000 - 1);
    /* The floor of the closing tick is the monitor's after the window has closed. */
    assert_int_equal(p.closed.monitor + (now - COST - c.end), monitor);
}

static void test_window(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++)
        check_window(seed, seed << 40);
    check_window(6, (1ull << 63) - 100000); /* a clock that passes the sign */
    check_window(7, (1ull << 32) - 100000);
}

/* Whether interrupts were on meanwhile the port knows; a tick in time asks nobody. */
static void test_enabled(void **state)
{
    (void)state;
    for (unsigned enabled = 0; enabled < 2; enabled++) {
        struct probe_event e = { .sample = { .pc = 1, .task = 1 }, .lateness = LATE + 1, .enabled = enabled };

        e.sample.time = 1000 + begin(1, 1000, UINT64_MAX, PROBE_SYSTEM) + e.lateness;
        probe_enter(&p, &e);
        probe_tick_late(&p, &e);
        assert_int_equal(p.system.stolen.hits[MODES], enabled);
        assert_int_equal(p.system.masked.hits[MODES], !enabled);
        assert_int_equal(p.counters.late, 1);
    }
}

/* The account may run ahead of the entry, on the way out of an interrupt: MONITOR begins where it stands. */
static void test_account_ahead(void **state)
{
    const uint64_t interval = begin(1, 1000, UINT64_MAX, PROBE_SYSTEM), ahead = 5;

    (void)state;
    account_switch_at(&account, now + interval + ahead, &task_time[1]);
    tick(&p, interval, FLOOR, false, 0);
    assert_int_equal(p.monitor, FLOOR + COST - ahead);
    assert_int_equal(task_time[0] + task_time[1] + p.monitor, now - 1000);
}

static void test_lateness(void **state)
{
    static const struct {
        uint64_t lateness;
        bool halted;
        unsigned late;
    } cases[] = {
        { 0, false, 0 }, { LATE, false, 0 }, { LATE + 1, false, 1 },
        { LATE + 1, true, 0 }, { 2 * LATE, true, 0 }, { 2 * LATE + 1, true, 1 },
        { 1ull << 46, false, 1 }, { 1ull << 62, false, 1 },
    };

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned repeats = 0; repeats < 2; repeats++) {
            const uint64_t interval = begin(1, 1000, UINT64_MAX, PROBE_SYSTEM), floor = cases[i].halted ? 2 * FLOOR : FLOOR;

            p.periodic = repeats;
            tick(&p, interval, cases[i].lateness, cases[i].halted, 0);
            assert_int_equal(p.counters.late, cases[i].late);
            assert_int_equal(p.counters.excess, cases[i].late && !repeats ? cases[i].lateness - floor : 0);
            assert_int_equal(p.counters.bucket[LATENESS_BUCKETS - 1], cases[i].lateness >= 1ull << 46);
            assert_int_equal(p.system.masked.hits[MODES], cases[i].late);
        }
}

/* ---- how it ends ---- */

static void test_goal(void **state)
{
    (void)state;
    for (uint64_t goal = 1; goal <= 3; goal++) {
        uint64_t interval = begin(goal, 1000, goal, PROBE_SYSTEM);

        for (uint64_t i = 1; i < goal; i++) {
            interval = timely(interval);
            assert_true(interval > 0);
        }
        assert_int_equal(timely(interval), 0);
        assert_int_equal(p.close, PROBE_STOPPED);
        assert_int_equal(copies, 1);
        assert_int_equal(p.closed.counters.ticks, goal);
        assert_int_equal(p.closed.counters.first != 0, 1);
    }
}

/* A snapshot on the way moves no goal. */
static void test_goal_after_snapshot(void **state)
{
    uint64_t interval = begin(1, 1000, 10, PROBE_SYSTEM);
    unsigned ticks = 0;

    (void)state;
    while (interval != 0) {
        if (ticks == 4)
            probe_request_close(&p, PROBE_CLOSE_REQUESTED);
        if (ticks == 6)
            probe_resume(&p);
        interval = timely(interval);
        ticks++;
    }
    assert_int_equal(ticks, 10);
    assert_int_equal(copies, 2);
}

enum { ASK_WANTED, ASK_LAST, ENOUGH, RESUME, TICK, STEPS };

static uint64_t step(unsigned what, uint64_t interval)
{
    switch (what) {
    case ASK_WANTED: probe_request_close(&p, PROBE_CLOSE_REQUESTED); break;
    case ASK_LAST: probe_request_close(&p, PROBE_STOP_REQUESTED); break;
    case ENOUGH: probe_finish(&p); break;
    case RESUME: probe_resume(&p); break;
    default: {
        const struct probe_event e = {
            .sample = { .time = now += interval + FLOOR, .pc = 1, .task = 1 }, .lateness = FLOOR,
        };

        if (p.via_nmi)
            return probe_tick_nmi(&p, &e);
        probe_enter(&p, &e);
        return probe_tick_on_time(&p, &e);
    }
    }
    return interval;
}

/* From a window that has had two ticks, the shortest way to a state. */
static uint64_t reach(enum probe_close wanted, bool unmasked)
{
    static const struct {
        unsigned count, step[3];
    } ways[] = {
        [PROBE_OPEN] = { 0, { 0 } }, [PROBE_CLOSE_REQUESTED] = { 1, { ASK_WANTED } }, [PROBE_STOP_REQUESTED] = { 1, { ASK_LAST } },
        [PROBE_CLOSED] = { 2, { ASK_WANTED, TICK } }, [PROBE_FINISH_REQUESTED] = { 3, { ASK_WANTED, TICK, ENOUGH } },
        [PROBE_STOPPED] = { 2, { ASK_LAST, TICK } },
    };
    uint64_t interval = begin(1, 1000, UINT64_MAX, PROBE_SYSTEM);

    p.via_nmi = unmasked;
    interval = step(TICK, step(TICK, interval));
    for (unsigned i = 0; i < ways[wanted].count; i++)
        interval = step(ways[wanted].step[i], interval);
    assert_int_equal(p.close, wanted);
    return interval;
}

/* Of each state, by what is done in it: the next one.  No tick comes when it has stopped. */
static const enum probe_close next_state[][STEPS] = {
    [PROBE_OPEN] = { PROBE_CLOSE_REQUESTED, PROBE_STOP_REQUESTED, PROBE_OPEN, PROBE_OPEN, PROBE_OPEN },
    [PROBE_CLOSE_REQUESTED] = { PROBE_CLOSE_REQUESTED, PROBE_STOP_REQUESTED, PROBE_CLOSE_REQUESTED, PROBE_CLOSE_REQUESTED, PROBE_CLOSED },
    [PROBE_STOP_REQUESTED] = { PROBE_CLOSE_REQUESTED, PROBE_STOP_REQUESTED, PROBE_STOP_REQUESTED, PROBE_STOP_REQUESTED, PROBE_STOPPED },
    [PROBE_CLOSED] = { PROBE_CLOSED, PROBE_CLOSED, PROBE_FINISH_REQUESTED, PROBE_OPEN, PROBE_CLOSED },
    [PROBE_FINISH_REQUESTED] = { PROBE_FINISH_REQUESTED, PROBE_FINISH_REQUESTED, PROBE_FINISH_REQUESTED, PROBE_FINISH_REQUESTED, PROBE_STOPPED },
    [PROBE_STOPPED] = { PROBE_STOPPED, PROBE_STOPPED, PROBE_STOPPED, PROBE_STOPPED, PROBE_STOPPED },
};

/* Where the tick cannot be masked, what has been asked for stands: one word is written, and only once. */
static enum probe_close expected(enum probe_close from, unsigned what, bool unmasked)
{
    if (unmasked && what <= ASK_LAST && from != PROBE_OPEN)
        return from;
    return next_state[from][what];
}

static void check_step(enum probe_close from, unsigned what, bool unmasked)
{
    uint64_t interval = reach(from, unmasked);
    const unsigned before = copies;
    const uint64_t ticks = p.closed.counters.ticks;
    bool closes;

    if (from == PROBE_STOPPED && what == TICK)
        return;
    interval = step(what, interval);
    if (p.close != expected(from, what, unmasked))
        fail_msg("state %u, step %u, unmasked %d: then %u", from, what, unmasked, p.close);
    closes = what == TICK && (from == PROBE_CLOSE_REQUESTED || from == PROBE_STOP_REQUESTED);
    assert_int_equal(copies, before + closes);
    assert_int_equal(p.closed.counters.ticks, closes ? 3 : ticks);
    if (what == TICK)
        assert_int_equal(interval == 0, p.close == PROBE_STOPPED);
}

static void test_every_state(void **state)
{
    (void)state;
    for (unsigned unmasked = 0; unmasked < 2; unmasked++)
        for (unsigned from = PROBE_OPEN; from <= PROBE_STOPPED; from++)
            for (unsigned what = 0; what < STEPS; what++)
                check_step((enum probe_close)from, what, unmasked);
}

/* ---- a tick that nothing masks ---- */

static void test_unmasked(void **state)
{
    uint64_t interval = begin(3, 1000, UINT64_MAX, PROBE_SYSTEM);
    struct probe_event e = { .sample = { .time = 5000, .pc = 1, .task = 1 }, .lateness = FLOOR + 1 };

    (void)state;
    assert_true(interval > 0);
    p.via_nmi = true;
    assert_true(probe_tick_nmi(&p, &e) > 0);
    assert_int_equal(p.counters.first, 5000 - FLOOR);
    assert_int_equal(account.last, 1000); /* it is the port's to take its time off */
    assert_int_equal(p.monitor, 0);
    probe_request_close(&p, PROBE_STOP_REQUESTED);
    e.sample.time = 9000;
    e.lateness = LATE + 1;
    assert_int_equal(probe_tick_nmi(&p, &e), 0);
    assert_int_equal(p.closed.counters.end, 9000 - FLOOR);
    assert_int_equal(p.closed.counters.ticks, 2);
    assert_int_equal(p.closed.counters.late, 1);
    assert_int_equal(p.closed.system.stolen.hits[MODES], 1);
    assert_int_equal(p.closed.system.masked.hits[MODES], 0);
}

/* ---- a second sampler beside it ---- */

static void test_held_up(void **state)
{
    static const struct {
        uint64_t from, to, lateness, counted; /* of the other's handlers, before the entry; what is late by itself */
    } cases[] = {
        { 100, 0, 100, 0 },                    /* held up all the time */
        { LATE + 100, 100, LATE + 100, 100 },  /* by a part of it, the rest is late */
        { 100, 50, 80, 50 },                   /* from before it expired to the middle of its wait */
        { 100, LATE, 80, 0 },                  /* the rest is no more than any tick may wait */
        { 100, 90, 60, 60 },                   /* over before it expired */
        { 80, 0, 80 + LATE, 0 }, { 80, 0, 81 + LATE, LATE + 1 },
        { 5000, 0, 100, 0 },                   /* more than the wait */
    };

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t interval = begin(1, 1000000, UINT64_MAX, PROBE_SYSTEM), entry = now + interval + cases[i].lateness;

        set_up(&q, 2, UINT64_MAX, PROBE_SYSTEM);
        p.peer = &q;
        q.busy_from = entry - cases[i].from;
        q.busy_to = entry - cases[i].to;
        tick(&p, interval, cases[i].lateness, false, 0);
        assert_int_equal(p.counters.lateness, cases[i].counted);
        assert_int_equal(p.counters.late, cases[i].counted != 0);
        assert_int_equal(p.counters.excess, cases[i].counted != 0 ? cases[i].counted - FLOOR : 0);
        assert_int_equal(p.system.masked.hits[MODES], cases[i].counted != 0);
    }
}

/* Both in turn: no time is lost or counted twice, and each window has the handlers of both. */
static void test_two(void **state)
{
    uint64_t first = begin(1, 1000, UINT64_MAX, PROBE_SYSTEM), second, tasks = 0;

    (void)state;
    set_up(&q, 2, UINT64_MAX, PROBE_SYSTEM);
    second = probe_begin(&q, now);
    p.peer = &q;
    q.peer = &p;
    for (unsigned i = 0; i < 1000; i++) {
        first = tick(&p, first, below(LATE), false, (uint32_t)below(TASKS));
        second = tick(&q, second, below(LATE), false, (uint32_t)below(TASKS));
    }
    for (unsigned task = 0; task < TASKS; task++)
        tasks += task_time[task];
    assert_int_equal(tasks + probe_monitor_time(&p), now - 1000);
    assert_true(p.monitor > 0 && q.monitor > 0);
    probe_request_close(&q, PROBE_CLOSE_REQUESTED);
    tick(&q, second, 0, false, 0); /* no floor: the account stands at its entry when it closes */
    assert_int_equal(q.closed.monitor, p.monitor + q.monitor - COST);
    assert_int_equal(p.close, PROBE_OPEN);
}

/* ---- all monitors, no room, counts that wrap ---- */

static void test_monitors(void **state)
{
    const uint32_t all = PROBE_SYSTEM | PROBE_REGION | PROBE_SAMPLES;
    static struct system_monitor alone; /* as it is where no other monitor is on */
    uint64_t interval;
    struct sample_record r;

    (void)state;
    for (uint32_t monitors = 0; monitors <= all; monitors++) {
        begin(1, 1000, UINT64_MAX, monitors);
        p.regions = 2;
        p.region_request[0] = (struct region_request){ 1, MODE_USER, 0x1000, 0x1100 };
        p.region_request[1] = (struct region_request){ ROW_ANY, MODE_KERNEL, 0, 0x1000 };
        probe_prepare(&p);
        interval = probe_begin(&p, now);
        for (uint32_t i = 0; i < 20; i++)
            interval = tick(&p, interval, i == 8 ? LATE + 1 : 0, false, i % 2 * 2);
        assert_int_equal(system_hits(&p.system, 1) + system_hits(&p.system, 3) + p.system.masked.hits[MODES],
                         monitors & PROBE_SYSTEM ? 20 : 0);
        if (monitors == PROBE_SYSTEM)
            alone = p.system;
        if (monitors & PROBE_SYSTEM)
            assert_memory_equal(&p.system, &alone, sizeof alone);
        if (monitors & PROBE_REGION)
            assert_in_range(p.region[0].changes_active, 5, 19); /* about half of the pairs are so */
        assert_int_equal(p.region[0].hits[0], monitors & PROBE_REGION ? 9 : 0);
        assert_int_equal(p.region[1].hits[REGION_ABOVE], monitors & PROBE_REGION ? 10 : 0);
        assert_int_equal(p.samples.put, monitors & PROBE_SAMPLES ? 20 : 0);
        probe_request_close(&p, PROBE_CLOSE_REQUESTED);
        tick(&p, interval, 0, false, 0);
        assert_memory_equal(p.closed.region, p.region, sizeof p.region);
        for (uint32_t i = 0; samples_take(&p.samples, &r); i++) {
            assert_int_equal(r.tick, i);
            assert_int_equal(r.delay, i == 8 ? DELAY_MASKED : DELAY_NONE);
        }
    }
}

/* A full ring loses samples, tells how many, and goes on with the ticks' own numbers. */
static void test_full(void **state)
{
    uint64_t interval = begin(1, 1000, SAMPLES_RING + 100, PROBE_SAMPLES);
    struct sample_record r;

    (void)state;
    for (uint32_t i = 0; i < SAMPLES_RING + 10; i++) {
        interval = timely(interval);
        if (i % 1000 == 0)
            interval_queue_fill(&p.queue, INTERVAL_QUEUE_MAX);
    }
    assert_int_equal(p.samples.lost, 10);
    assert_true(samples_take(&p.samples, &r));
    while (interval != 0)
        interval = timely(interval);
    assert_int_equal(p.closed.lost_ring, 99);
    assert_int_equal(p.closed.counters.ticks, SAMPLES_RING + 100);
    for (uint32_t i = 1; samples_take(&p.samples, &r); i++)
        assert_int_equal(r.tick, i < SAMPLES_RING ? i : SAMPLES_RING + 10);
}

/* 2^32 intervals later the schedule goes on, whoever draws: the numbers of those drawn and taken wrap. */
static void test_wrap(void **state)
{
    const uint32_t start = UINT32_MAX - 4 * INTERVAL_QUEUE_CHECKPOINT + 1;
    struct schedule s;

    (void)state;
    begin(1, 1000, UINT64_MAX, PROBE_SYSTEM);
    s = p.schedule;
    interval_queue_begin(&p.queue, &s);
    p.queue.drawn = p.queue.taken = p.queue.state[0].drawn = start;
    p.queue.state[1].drawn = start - INTERVAL_QUEUE_CHECKPOINT; /* as a copy is, once it was in force */
    for (uint32_t i = 0; i < 8 * INTERVAL_QUEUE_CHECKPOINT; i++) {
        if (i % 50 == 0)
            interval_queue_fill(&p.queue, i % 3 * 16);
        assert_int_equal(interval_queue_next(&p.queue), schedule_next(&s));
        assert_int_equal(interval_queue_schedule(&p.queue).generator, s.generator);
    }
    assert_true(p.queue.taken < start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window), cmocka_unit_test(test_enabled), cmocka_unit_test(test_lateness), cmocka_unit_test(test_account_ahead),
        cmocka_unit_test(test_goal),
        cmocka_unit_test(test_goal_after_snapshot), cmocka_unit_test(test_every_state), cmocka_unit_test(test_unmasked),
        cmocka_unit_test(test_held_up), cmocka_unit_test(test_two), cmocka_unit_test(test_monitors),
        cmocka_unit_test(test_full), cmocka_unit_test(test_wrap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
