/* SPDX-License-Identifier: MIT */
/*
 * How a window closes (probe/core/probe.c): the goal, each request in each state, by
 * interrupt and by NMI.
 */
#include "tests/host/simulated_tick.h"

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
        [PROBE_OPEN] = { 0, { 0 } }, [PROBE_CLOSE_REQUESTED] = { 1, { ASK_WANTED } },
        [PROBE_STOP_REQUESTED] = { 1, { ASK_LAST } },
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
    [PROBE_CLOSE_REQUESTED] = { PROBE_CLOSE_REQUESTED, PROBE_STOP_REQUESTED, PROBE_CLOSE_REQUESTED,
                                PROBE_CLOSE_REQUESTED, PROBE_CLOSED },
    [PROBE_STOP_REQUESTED] = { PROBE_CLOSE_REQUESTED, PROBE_STOP_REQUESTED, PROBE_STOP_REQUESTED,
                               PROBE_STOP_REQUESTED, PROBE_STOPPED },
    [PROBE_CLOSED] = { PROBE_CLOSED, PROBE_CLOSED, PROBE_FINISH_REQUESTED, PROBE_OPEN, PROBE_CLOSED },
    [PROBE_FINISH_REQUESTED] = { PROBE_FINISH_REQUESTED, PROBE_FINISH_REQUESTED, PROBE_FINISH_REQUESTED,
                                 PROBE_FINISH_REQUESTED, PROBE_STOPPED },
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goal),
        cmocka_unit_test(test_goal_after_snapshot),
        cmocka_unit_test(test_every_state),
        cmocka_unit_test(test_unmasked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
