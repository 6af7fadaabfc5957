/* SPDX-License-Identifier: MIT */
/* The schedule goes on as it would have: from a saved state, and in runs of any length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/host/schedules.h"

/* A copy that stands where this one stood goes the same way, from every point on. */
static void check_restore(const struct schedule begin)
{
    struct schedule s = begin, copy;
    struct schedule_state state;

    for (int i = 0; i < 200; i++) {
        copy = begin;
        schedule_save(&s, &state);
        assert_true(schedule_restore(&copy, &state));
        assert_int_equal(copy.pair, s.pair);
        for (int j = 0; j < 5; j++) {
            struct schedule here = s;
            uint64_t interval = 0;

            for (int k = 0; k <= j; k++)
                interval = schedule_next(&here);
            assert_int_equal(schedule_next(&copy), interval);
            assert_int_equal(copy.pair, here.pair);
            assert_int_equal(copy.generator, here.generator);
            assert_int_equal(copy.carry, here.carry);
            assert_int_equal(copy.second, here.second);
            assert_int_equal(copy.fraction, here.fraction);
        }
        schedule_next(&s);
    }
}

static void test_restore(void **state)
{
    const uint64_t mean = (PIT_HZ << 16) / 1000;

    (void)state;
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        for (uint32_t minimum = 0; minimum <= 40; minimum += 40) { /* points in clock time; counts of a source */
            check_restore(begun(policies[i], mean, minimum, 1500, 3));
            check_restore(keyed(policies[i], mean, minimum, 3));
        }
    }
}

static void test_impossible_states(void **state)
{
    static const struct schedule_state wrong[] = {
        {0, 0, 0, 0, 0}, {0x7fffffff, 0, 0, 0, 0}, {UINT64_MAX, 0, 0, 0, 0}, {1, 3, 0, 0, 0},
        {1, 0, 65536, 0, 0}, {1, 0, 0, INT64_MAX, 0}, {1, 0, 0, INT64_MIN, 0},
        {1, 0, 0, 0, INT64_MAX}, {1, 0, 0, 0, INT64_MIN},
    };
    struct schedule s = begun(INTERVAL_STRATIFIED, (PIT_HZ << 16) / 1000, 40, 2000, 3), before = s;

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_false(schedule_restore(&s, &wrong[i]));
        assert_memory_equal(&s, &before, sizeof(s));
    }
}

/* A keyed state is any number of words drawn. */
static void test_keyed_states(void **state)
{
    struct schedule s = keyed(INTERVAL_RANDOM, (PIT_HZ << 16) / 120, 100, 77);
    const struct schedule_state wrong = {.generator = (uint64_t)1 << 52};
    const struct schedule_state far = {.generator = ((uint64_t)1 << 40) + 5};

    (void)state;
    assert_false(schedule_restore(&s, &wrong));
    assert_true(schedule_restore(&s, &far));
    assert_int_equal(schedule_next(&s), 100 + (plain_word(77, far.generator) * (uint64_t)19687 >> 32));
}

/* A run against single steps; both go on from its end. */
static void check_run(struct schedule *one, struct schedule *other, unsigned length)
{
    uint64_t interval[40];

    schedule_run(other, interval, length);
    for (unsigned j = 0; j < length; j++)
        assert_int_equal(schedule_next(one), interval[j]);
    assert_int_equal(one->pair, other->pair);
    assert_int_equal(one->generator, other->generator);
    assert_int_equal(one->carry, other->carry);
    assert_int_equal(one->fraction, other->fraction);
    assert_true(one->next == other->next);
}

/* Runs of any length from any point; the first one from the begin has `first`. */
static void check_runs_from(const struct schedule begin, unsigned first)
{
    struct schedule one = begin, other = begin;

    for (unsigned length = first, i = 0; i < 4000; i++, length = (length + i) % 40)
        check_run(&one, &other, length);
}

static void check_runs(const struct schedule begin)
{
    check_runs_from(begin, 0);
}

/* From each position in what is drawn at once, runs that end before, at and after the end of the next. */
static void check_run_lengths(const struct schedule begin)
{
    struct schedule first = begin;
    uint64_t interval[3 * CHACHA8_FOUR], expected;

    for (unsigned at = 0; at <= CHACHA8_FOUR; at++, schedule_next(&first)) {
        for (unsigned length = 0; length <= 3 * CHACHA8_FOUR; length += 1 + at % 3) {
            struct schedule one = first, other = first;

            schedule_run(&other, interval, length);
            for (unsigned i = 0; i < length; i++) {
                expected = schedule_next(&one);
                assert_true(interval[i] == expected);
            }
            assert_int_equal(one.generator, other.generator);
            expected = schedule_next(&one); /* and both go on alike */
            assert_true(schedule_next(&other) == expected);
            assert_int_equal(one.pair, other.pair);
        }
    }
}

static void test_run_lengths(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        struct schedule_state odd = {.generator = ((uint64_t)1 << 36) - 37}; /* words whose counter carries */
        struct schedule s = keyed(policies[i], (PIT_HZ << 16) / 1000, 49, 5);

        check_run_lengths(s);
        assert_true(schedule_restore(&s, &odd));
        check_run_lengths(s);
        check_run_lengths(keyed(policies[i], (uint64_t)1 << 41, 49, 5)); /* too long for 32 bits */
    }
}

static void test_runs(void **state)
{
    const uint64_t mean = (PIT_HZ << 16) / 1000;

    (void)state;
    check_runs(begun(INTERVAL_STRATIFIED, mean, 1, 1500, 5));
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        for (uint32_t minimum = 0; minimum <= 49; minimum += 49) {
            check_runs(begun(policies[i], mean, minimum, 1500, 5));
            check_runs(keyed(policies[i], mean, minimum, 5));
        }
    }
}

/*
 * Strata side by side: lengths and rests at the ends of what fits, and minima that lengthen one interval in twenty.
 */
static void test_strata_at_once(void **state)
{
    static const uint64_t means[] = {(PIT_HZ << 16) / 1000, (1ull << 45) - 0x18001,
                                     (1ull << 45) - 0x10000, /* twice is below 2^30 - 1 */
                                     (1ull << 45) - 0x8000, (1ull << 46) + 0x8001};
    static const int64_t rest[] = {0, 1 << 29, (1 << 30) - 1, 1 << 30, (int64_t)1 << 39};

    (void)state;
    for (size_t k = 0; k < sizeof means / sizeof means[0]; k++) {
        const uint32_t most = (uint32_t)(means[k] / 20 >> 16) - 10;

        check_runs(begun(INTERVAL_STRATIFIED, means[k], 0, 1500, 5));
        for (uint32_t minimum = 1; minimum < most; minimum *= 2)
            check_runs(begun(INTERVAL_STRATIFIED, means[k], minimum, 1500, 5));
        for (size_t i = 0; i < 2 * sizeof rest / sizeof rest[0]; i++) {
            const struct schedule_state at = {.generator = 77, .fraction = 65535,
                                              .carry = i % 2 ? -rest[i / 2] : rest[i / 2]};
            struct schedule s = begun(INTERVAL_STRATIFIED, means[k], most, 1500, 5);

            assert_true(schedule_restore(&s, &at));
            check_runs_from(s, 39);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_restore),
        cmocka_unit_test(test_impossible_states),
        cmocka_unit_test(test_keyed_states),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_run_lengths),
        cmocka_unit_test(test_strata_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
