/* SPDX-License-Identifier: MIT */
/*
 * What a window of ticks without points holds (probe/core/probe.c): every loss, one sampler and two, all
 * monitors, counters that wrap.
 */
#include "tests/host/simulated_tick.h"

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
            point_queue_fill(&p.queue, below(300));
    }
    c.ticks = c.points = 5000;
    /* none: these ticks have no points */
    c.arrivals = (struct probe_arrivals){ .least = INT64_MAX, .most = INT64_MIN };
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
            const uint64_t interval = begin(1, 1000, UINT64_MAX, PROBE_SYSTEM),
                           floor = cases[i].halted ? 2 * FLOOR : FLOOR;

            p.periodic = repeats;
            tick(&p, interval, cases[i].lateness, cases[i].halted, 0);
            assert_int_equal(p.counters.late, cases[i].late);
            assert_int_equal(p.counters.excess, cases[i].late && !repeats ? cases[i].lateness - floor : 0);
            assert_int_equal(p.counters.bucket[LATENESS_BUCKETS - 1], cases[i].lateness >= 1ull << 46);
            assert_int_equal(p.system.masked.hits[MODES], cases[i].late);
        }
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
        const uint64_t interval = begin(1, 1000000, UINT64_MAX, PROBE_SYSTEM),
                       entry = now + interval + cases[i].lateness;

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
        assert_int_equal(p.samples->put, monitors & PROBE_SAMPLES ? 20 : 0);
        probe_request_close(&p, PROBE_CLOSE_REQUESTED);
        tick(&p, interval, 0, false, 0);
        assert_memory_equal(p.closed.region, p.region, sizeof p.region);
        for (uint32_t i = 0; samples_take(p.samples, &r); i++) {
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
            point_queue_fill(&p.queue, POINT_QUEUE_MAX);
    }
    assert_int_equal(p.samples->lost, 10);
    assert_true(samples_take(p.samples, &r));
    while (interval != 0)
        interval = timely(interval);
    assert_int_equal(p.closed.lost_ring, 99);
    assert_int_equal(p.closed.counters.ticks, SAMPLES_RING + 100);
    for (uint32_t i = 1; samples_take(p.samples, &r); i++)
        assert_int_equal(r.tick, i < SAMPLES_RING ? i : SAMPLES_RING + 10);
}

/* 2^32 intervals later the schedule goes on, whoever draws: the numbers of those drawn and taken wrap. */
static void test_wrap(void **state)
{
    const uint32_t start = UINT32_MAX - 4 * POINT_QUEUE_CHECKPOINT + 1;
    struct schedule s;

    (void)state;
    begin(1, 1000, UINT64_MAX, PROBE_SYSTEM);
    s = p.schedule;
    point_queue_begin(&p.queue, &s, 1);
    p.queue.drawn = p.queue.taken = p.queue.state[0].drawn = start;
    p.queue.state[1].drawn = start - POINT_QUEUE_CHECKPOINT; /* as a copy is, once it was in force */
    for (uint32_t i = 0; i < 8 * POINT_QUEUE_CHECKPOINT; i++) {
        if (i % 50 == 0)
            point_queue_fill(&p.queue, i % 3 * 16);
        schedule_next(&s);
        point_queue_next(&p.queue);
        assert_int_equal(point_queue_pending(&p.queue), s.sum << 1);
        assert_int_equal(point_queue_schedule(&p.queue).generator, s.generator);
    }
    assert_true(p.queue.taken < start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_enabled),
        cmocka_unit_test(test_account_ahead),
        cmocka_unit_test(test_lateness),
        cmocka_unit_test(test_held_up),
        cmocka_unit_test(test_two),
        cmocka_unit_test(test_monitors),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_wrap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
