/* SPDX-License-Identifier: MIT */
/*
 * The audit of ticks without points, and of senders before minor 8: clean on every policy's own ticks; one altered
 * interval, one dropped tick, one repeated frame are each found, and named.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/audited.h"
#include "tests/host/dump_audit.h"

#define TICKS 6000

static void make(struct dump_audit how)
{
    how.ticks = TICKS;
    how.policy = how.policy ? how.policy : INTERVAL_STRATIFIED;
    d.length = 0;
    dump_audit_run(&d, &how);
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.model.epochs, 1);
    make_audit(0);
}

static void test_clean(void **state)
{
    static const enum interval_policy policies[] = {INTERVAL_STRATIFIED, INTERVAL_RANDOM, INTERVAL_FIXED};

    (void)state;
    for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
        make((struct dump_audit){.policy = policies[i]});
        check_clean();
        assert_true(audit.replayed);
        assert_int_equal(audit.agreed, got.model.epoch[0]->head_count);
        assert_int_equal(audit.checked, TICKS - 1);
        assert_int_equal(audit.ticks, TICKS);
        assert_true(audit.shortest >= -1000 && audit.longest <= 1000);
        assert_int_equal(got.model.epoch[0]->snapshot->bucket[15], TICKS / DUMP_AUDIT_LATE);
    }
}

/* One tick in six thousand, by 50 us. */
static void test_interval(void **state)
{
    (void)state;
    make((struct dump_audit){.at = 4321, .counts = -60});
    assert_int_equal(audit.faults, 1);
    check_found("tick 4321 came 5");
    check_found("before its time: its interval was altered");
    make((struct dump_audit){.at = 4321, .counts = 60});
    assert_int_equal(audit.faults, 1);
    check_found("tick 4321 came 5");
    check_found("after its time and is not late: its interval was altered");
    make((struct dump_audit){.at = TICKS, .told = 1});
    check_found("an interval was altered");
}

static void test_dropped(void **state)
{
    (void)state;
    make((struct dump_audit){.at = 1234, .dropped = true});
    check_found("the generator gave 1 more intervals: ticks were dropped");
    check_found("tick 1234 came");
}

static void test_repeated(void **state)
{
    (void)state;
    make((struct dump_audit){.repeated = 3});
    assert_int_equal(audit.faults, 1);
    check_found("raw samples arrived twice: a frame was repeated");
    assert_int_equal(got.stats.repeated, 1);
    assert_int_equal(got.stats.missing, 0);
    make((struct dump_audit){.twice = true});
    check_found("snapshot 2 comes after snapshot 2: a frame was repeated");
}

/* What was lost on the way is not the generator's fault, and is counted. */
static void test_absent(void **state)
{
    (void)state;
    make((struct dump_audit){.absent = 5});
    check_clean();
    assert_true(audit.absent > 0 && audit.absent <= SAMPLE_FRAME_MAX);
    assert_int_equal(audit.spanned, 1);
    assert_int_equal(got.stats.missing, 1);
}

static void test_phase(void **state)
{
    (void)state;
    make((struct dump_audit){.policy = INTERVAL_RANDOM});
    assert_int_equal(audit.phase.samples, TICKS);
    assert_int_equal(audit.phase.empty, 0);
    assert_true(audit.phase.even);
    got.model.epoch[0]->hello.clock_period = (uint64_t)1000 << 16; /* nothing is in step with that */
    make_audit(0);
    assert_true(audit.phase.chi_square > 0);
    got.model.epoch[0]->hello.clock_period = 0;
    make_audit(0);
    assert_int_equal(audit.phase.samples, 0);
}

/* A few bytes that claim ticks of years are not drawn again for minutes. */
static void test_claimed(void **state)
{
    (void)state;
    make((struct dump_audit){0});
    make_audit((uint64_t)1 << 36);
    assert_false(audit.replayed);
    assert_int_equal(audit.cut, (uint64_t)1 << 36);
    assert_int_equal(audit.ticks, TICKS);
}

/* Another seed's generator, or words that nobody knows. */
static void test_foreign(void **state)
{
    (void)state;
    make((struct dump_audit){0});
    got.model.epoch[0]->hello.seed++;
    make_audit(0);
    check_found("the ticks are not its own");
    got.model.epoch[0]->words_known = false;
    make_audit(0);
    check_clean();
    assert_false(audit.replayed);
}

#define TEST(name) cmocka_unit_test_teardown(name, end)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_clean), TEST(test_interval), TEST(test_dropped), TEST(test_repeated),
        TEST(test_absent), TEST(test_phase), TEST(test_claimed), TEST(test_foreign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
