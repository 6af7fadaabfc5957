/* SPDX-License-Identifier: MIT */
/*
 * The audit of points that are fixed in clock time is clean on every policy's own points, with waits of several and
 * with points in handlers; each thing that is wrong is found, and named.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/audited.h"
#include "tests/host/dump_points.h"

#define POINTS 6000

static void make(struct dump_points how)
{
    how.points = POINTS;
    how.policy = how.policy ? how.policy : INTERVAL_STRATIFIED;
    d.length = 0;
    dump_points_run(&d, &how);
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.model.epochs, 1);
    make_audit(0);
}

/* Point 1234 is in time with every policy, and so are the two before it. */
static void check_wrong(enum dump_wrong wrong, const char *words)
{
    make((struct dump_points){.wrong = wrong, .at = 1234});
    check_found(words);
}

static void test_clean(void **state)
{
    static const enum interval_policy policies[] = {INTERVAL_STRATIFIED, INTERVAL_RANDOM, INTERVAL_EXPONENTIAL,
                                                    INTERVAL_NARROW, INTERVAL_FIXED, INTERVAL_ARITHMETIC};

    (void)state;
    for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
        const struct snapshot *s;

        make((struct dump_points){.policy = policies[i]});
        s = got.model.epoch[0]->snapshot;
        check_clean();
        assert_true(audit.replayed);
        assert_int_equal(audit.agreed, got.model.epoch[0]->head_count);
        assert_int_equal(audit.ticks, POINTS + 1);
        assert_int_equal(s->points, POINTS);
        assert_int_equal(audit.checked, s->points - s->in_handler);
        assert_int_equal(audit.excused, s->late);
        /* Several points in the long waits. */
        assert_true(s->late > POINTS / DUMP_POINTS_SHORT + 2 * (POINTS / DUMP_POINTS_LONG));
        assert_true((s->in_handler > 0) == (policies[i] <= INTERVAL_EXPONENTIAL));
        assert_true(audit.shortest < 0 && audit.shortest >= -(int64_t)DUMP_POINTS_COUNT);
        assert_true(audit.longest <= (int64_t)DUMP_AUDIT_FLOOR);
    }
}

/* A tick's time is its point's, to the unit; what the handlers read of the clock is near it. */
static void test_times(void **state)
{
    (void)state;
    check_wrong(DUMP_MOVED, "tick 1234 came 2000 clock units after its time and is not late"); /* in units of 1000 */
    assert_int_equal(audit.faults, 1);
    check_wrong(DUMP_EARLY, "a tick came 2514 clock units before its point");
    check_wrong(DUMP_STRAY, "a tick came 7478 clock units after its point and is not late");
}

static void test_points(void **state)
{
    (void)state;
    check_wrong(DUMP_LEFT_OUT, "the generator gave 1 more");
    check_wrong(DUMP_LEFT_OUT, "tick 1234 came");
    /* The generator draws both points of a stratum at once. */
    check_wrong(DUMP_DOUBLED, "snapshot 2: the 1552 intervals add to");
    check_wrong(DUMP_DOUBLED, "tick 1235 came");
    check_wrong(DUMP_SUM, "points 5");
    assert_int_equal(audit.faults, 1);
}

static void test_generators(void **state)
{
    (void)state;
    check_wrong(DUMP_SEED, "the ticks are not its own");
    check_wrong(DUMP_MIXED, "the ticks are not its own");
}

static void test_snapshots(void **state)
{
    (void)state;
    check_wrong(DUMP_END, "clock units before its last point");
    assert_int_equal(audit.faults, 1);
    check_wrong(DUMP_OPEN, "7478 clock units behind a point that it does not count");
    assert_int_equal(audit.faults, 1);
    check_wrong(DUMP_ARRIVED, "the sum of the arrivals is not between their bounds");
    assert_int_equal(audit.faults, 1);
}

#define TEST(name) cmocka_unit_test_teardown(name, end)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_clean), TEST(test_times), TEST(test_points), TEST(test_generators), TEST(test_snapshots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
