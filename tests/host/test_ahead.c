/* SPDX-License-Identifier: MIT */
/*
 * Intervals drawn ahead: whoever draws them, and wherever a tick comes between,
 * they are the schedule's, one after the other.  A timer's signal is the tick.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/time.h>

#include "probe/ahead.h"

#define TICKS 200000u

static struct schedule schedule_of(const char *policy, const char *rng)
{
    const struct schedule_request request = {
        .policy = policy, .rng = rng, .mean = (9943ull << 16) + 12345, .minimum = 3, .spread = 2000, .seed = 7,
    };
    struct schedule s;

    assert_null(schedule_init(&s, &request));
    return s;
}

/* The next interval is what the schedule itself gives, with its pair and its state. */
static void check_next(struct ahead *a, struct schedule *s)
{
    const uint64_t expected = schedule_next(s), got = ahead_next(a);

    assert_true(got == expected);
    assert_int_equal(ahead_pair(a), s->pair);
    assert_true(ahead_schedule(a).sum == s->sum);
    assert_int_equal(ahead_schedule(a).generator, s->generator);
}

static void test_order(void **state)
{
    static const char *const policies[] = {"stratified", "random", "exponential", "narrow", "fixed"};
    struct ahead *a = malloc(sizeof(*a));

    (void)state;
    for (unsigned p = 0; p < 2 * sizeof(policies) / sizeof(policies[0]); p++) {
        struct schedule s = schedule_of(policies[p / 2], p % 2 ? "chacha8" : "carta");

        ahead_begin(a, &s);
        for (unsigned i = 0; i < 3 * AHEAD_ROOM; i++) {
            if (i % 1000 == 17) /* now full, now a few, now none */
                ahead_fill(a, i % 3 == 0 ? AHEAD_FULL : i % 7);
            check_next(a, &s);
        }
    }
    free(a);
}

static void test_room(void **state)
{
    struct ahead *a = malloc(sizeof(*a));
    struct schedule s = schedule_of("stratified", "carta");

    (void)state;
    ahead_begin(a, &s);
    for (unsigned i = 0; i < 3; i++) {
        ahead_fill(a, AHEAD_FULL);
        assert_int_equal((uint32_t)a->word - a->taken, AHEAD_FULL);
    }
    for (unsigned i = 0; i < AHEAD_ROOM + 5; i++)
        check_next(a, &s);
    free(a);
}

/* ---- ticks that come whenever they like ---- */

static struct ahead ticking;
static volatile uint32_t ticks, drawn;
static uint64_t got[TICKS];

static void tick(int signal)
{
    (void)signal;
    /* A burst, so that what waits runs out and the tick has to draw. */
    for (unsigned i = 0; i < 40 && ticks < TICKS; i++) {
        drawn += ticking.taken == (uint32_t)ticking.word;
        ahead_next(&ticking);
        got[ticks++] = ticking.last;
    }
}

static void check_interrupted(const char *rng)
{
    const struct itimerval fast = {{0, 20}, {0, 20}}, off = {{0, 0}, {0, 0}};
    struct schedule s = schedule_of("stratified", rng);
    uint32_t failed = 0;

    ticks = drawn = 0;
    ahead_begin(&ticking, &s);
    signal(SIGALRM, tick);
    setitimer(ITIMER_REAL, &fast, NULL);
    while (ticks < TICKS) {
        const uint64_t before = ticking.word;

        ahead_fill(&ticking, 24);
        failed += (ticking.word ^ before) >> 33 != 0;
    }
    setitimer(ITIMER_REAL, &off, NULL);
    for (uint32_t i = 0; i < TICKS; i++) {
        const uint64_t interval = schedule_next(&s);

        if (got[i] != (interval | (s.pair ? AHEAD_PAIR : 0)))
            fail_msg("interval %u is not the schedule's", i);
    }
    assert_true(drawn > TICKS / 100); /* or nothing was tried */
    assert_true(drawn < TICKS);
    assert_true(failed > 10);
}

static void test_interrupted(void **state)
{
    (void)state;
    check_interrupted("carta");
    check_interrupted("chacha8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_interrupted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
