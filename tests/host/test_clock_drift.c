/* SPDX-License-Identifier: MIT */
/*
 * The drift of a board's clock from delayed messages: the 95 % interval has the truth as often as it
 * says, whatever the delays, and is narrow where messages are often prompt; few moments tell none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "probe/schedule/splitmix64.h"
#include "tools/archive/clock_drift.h"

#define RUNS 1000

static uint64_t state_of_random = 7;

static double uniform(void)
{
    return (double)(splitmix64_mix(state_of_random += SPLITMIX64_GAMMA) >> 11) / 9007199254740992.0;
}

static double exponential(double mean)
{
    return -mean * log(1.0 - uniform());
}

static double by_queue(double s)
{
    (void)s;
    return 0.002 + exponential(0.005);
}

/* Half a second each so often, as of a host that was busy. */
static double with_bursts(double s)
{
    return by_queue(s) + (uniform() < 0.05 ? 0.5 : 0.0);
}

/* As a UART of USB hands bytes over: each 16 ms of a clock that is not the board's. */
static double by_polls(double s)
{
    (void)s;
    return 0.016 * uniform() + exponential(0.0005);
}

static struct drift_estimate run(unsigned count, double drift, double (*delay)(double s))
{
    struct clock_drift *d = calloc(1, sizeof(*d));
    struct drift_estimate e;

    for (unsigned i = 0; i < count; i++)
        clock_drift_add(d, 100.0 + i * (1.0 + drift), 5.0 + i + delay(i));
    e = clock_drift_estimate(d);
    free(d);
    return e;
}

/* Of 1000 intervals 950 have the truth; fewer than 920 or more than 985 would be 4 standard deviations off. */
static void assert_covers(unsigned count, double drift, double (*delay)(double s), double half_at_most)
{
    unsigned inside = 0;
    double halves = 0.0;

    for (unsigned i = 0; i < RUNS; i++) {
        const struct drift_estimate e = run(count, drift, delay);

        inside += fabs(e.drift - drift) <= e.error;
        halves += e.error / RUNS;
    }
    print_message("%u moments: %u of %u inside, half width %.3f ppm\n", count, inside, RUNS, 1e6 * halves);
    assert_in_range(inside, 920, 985);
    assert_true(halves < half_at_most);
}

/* 600 s in 30 blocks of 20: the least of 20 delays scatters by 5 ms / 20, at 30 points over 600 s: 0.5 ppm. */
static void test_covers(void **state)
{
    (void)state;
    assert_covers(600, 37e-6, by_queue, 0.7e-6);
    assert_covers(600, -180e-6, with_bursts, 0.8e-6);
    assert_covers(60, 37e-6, by_queue, 60e-6);
    assert_covers(600, 37e-6, by_polls, 3e-6);
}

/* More than are kept: the less delayed of two neighbours is. */
static void test_long(void **state)
{
    const struct drift_estimate e = run(50000, 12e-6, with_bursts);

    (void)state;
    assert_in_range(e.moments, DRIFT_MOMENTS / 2, DRIFT_MOMENTS);
    assert_true(fabs(e.drift - 12e-6) <= 2.0 * e.error && e.error < 1e-8);
}

static void test_few(void **state)
{
    (void)state;
    assert_true(run(0, 0, by_queue).error < 0.0 && run(DRIFT_LEAST - 1, 0, by_queue).error < 0.0);
    assert_true(run(DRIFT_LEAST, 0, by_queue).error > 0.0);
    assert_true(run(5, 0, by_queue).blocks < 2 && run(5, 0, by_queue).drift >= 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_covers), cmocka_unit_test(test_long),
                                       cmocka_unit_test(test_few)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
