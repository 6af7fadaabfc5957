/* SPDX-License-Identifier: MIT */
/*
 * Rates of clocks that are detuned by known parts in a million: the truth is always inside, and the interval as
 * narrow as the readings are.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "probe/schedule/splitmix64.h"
#include "probe/survey/clock_track.h"
#include "probe/survey/rates.h"

#define HZ      3000000000ull /* of the TSC */
#define READ    6000u         /* clock units that a reading takes at most: 2 us */
#define SECONDS 60u

struct clock { /* one that is off by `ppm` */
    double hz, ppm, phase;
    uint64_t modulus;
    uint64_t slack;
};

static uint64_t drawn(uint64_t *state, uint64_t below)
{
    *state += SPLITMIX64_GAMMA;
    return splitmix64_mix(*state) % below;
}

static double counts_at(const struct clock *c, uint64_t now)
{
    return c->phase + (double)now / (double)HZ * c->hz * (1 + c->ppm / 1e6);
}

/* Somewhere between its two readings of the TSC the counter is read. */
static struct clock_reading read_at(const struct clock *c, uint64_t now, uint64_t *state)
{
    const uint64_t took = 1 + drawn(state, READ), at = now + drawn(state, took + 1);

    return (struct clock_reading){ now, now + took, (uint64_t)counts_at(c, at) & (c->modulus - 1) };
}

static struct clock_span span_of(const struct clock_track *t, uint64_t slack)
{
    return (struct clock_span){ t->counts, slack, t->last_from - t->first_to, t->last_to - t->first_from };
}

static struct clock_rate measure(const struct clock *c, uint64_t step, uint64_t seed)
{
    struct clock_track t;
    struct clock_span s;
    uint64_t state = seed;

    clock_track_begin(&t, c->modulus, (uint64_t)((double)HZ / c->hz * 65536));
    for (uint64_t now = drawn(&state, HZ); now < SECONDS * HZ; now += step + drawn(&state, step)) {
        const struct clock_reading r = read_at(c, now, &state);

        assert_true(clock_track_add(&t, &r));
    }
    s = span_of(&t, c->slack);
    return clock_rate_of(&s);
}

static const struct clock clocks[] = {
    { 1193182, 0, 0.5, 1u << 16, 1 },        /* an 8254 in mode 2 */
    { 1193182, -180, 11.25, 1u << 16, 1 },
    { 3579545, 37.5, 0.99, 1u << 24, 1 },    /* a PM timer of 24 bits */
    { 14318180, 1000, 3, 1ull << 32, 1 },    /* an HPET, far off */
    { 100000000, -0.01, 77, 1ull << 32, 1 },
};

/*
 * Certain, not of chance: no seed may miss.  The width is what two readings and two counts leave open, and no more.
 */
static void test_detuned(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++)
        for (uint64_t seed = 1; seed <= 50; seed++) {
            const struct clock *const c = &clocks[i];
            const struct clock_rate r = measure(c, HZ / 10, seed), tsc = { 1.0 / (double)HZ, 1.0 / (double)HZ };
            const double truth = c->hz * (1 + c->ppm / 1e6) / (double)HZ;
            const double open = 2 * (2.0 * READ / (double)HZ + 2 / c->hz) / (SECONDS - 2);
            const struct clock_rate apart = clock_rate_apart(&r, c->hz, &tsc, 1);

            assert_true(r.low <= truth && truth <= r.high);
            assert_true((r.high - r.low) / truth <= open);
            assert_true(apart.low <= c->ppm + 1e-6 && c->ppm - 1e-6 <= apart.high &&
                        apart.high - apart.low <= 1e6 * open);
        }
}

/* Two clocks that are both off, against each other. */
static void test_apart(void **state)
{
    const struct clock *const a = &clocks[2], *const b = &clocks[1];
    const double truth = 1e6 * ((1 + a->ppm / 1e6) / (1 + b->ppm / 1e6) - 1);

    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        const struct clock_rate ra = measure(a, HZ / 10, seed), rb = measure(b, HZ / 20, seed + 1000);
        const struct clock_rate apart = clock_rate_apart(&ra, a->hz, &rb, b->hz);

        assert_true(apart.low <= truth && truth <= apart.high && apart.high - apart.low < 0.5);
    }
}

/* Edges, one a second, some of which nobody saw. */
static void test_edges(void **state)
{
    const double ppm = -23, second = (double)HZ / (1 + ppm / 1e6);
    struct clock_track t;
    struct clock_span s;
    struct clock_rate r;

    (void)state;
    clock_track_begin(&t, 1, 65536 * HZ);
    for (unsigned k = 1; k <= SECONDS; k += 1 + k % 3) {
        const uint64_t at = (uint64_t)(k * second);

        assert_true(clock_track_add(&t, &(struct clock_reading){ at - k, at + READ, 0 }));
    }
    s = span_of(&t, 0);
    r = clock_rate_of(&s);
    assert_true(r.low * second <= 1 && r.high * second >= 1 &&
                (r.high - r.low) * second < 3.0 * READ / HZ / (SECONDS - 5));
}

/* Where wraps cannot be known the track says so, and takes no more. */
static void test_lost(void **state)
{
    struct clock_track t;

    (void)state;
    clock_track_begin(&t, 1u << 16, (uint64_t)((double)HZ / 1193182 * 65536));
    assert_true(clock_track_add(&t, &(struct clock_reading){ 0, 10, 5 }));
    assert_true(clock_track_add(&t, &(struct clock_reading){ 3 * HZ, 3 * HZ + 10, (5 + 3 * 1193182) & 0xffff }));
    assert_int_equal(t.counts, 3 * 1193182);
    assert_false(clock_track_add(&t, &(struct clock_reading){ 60 * HZ, 60 * HZ + 10, 5 }));
    assert_true(t.lost);
    assert_false(clock_track_add(&t, &(struct clock_reading){ 60 * HZ + 100, 60 * HZ + 110, 5 }));
    assert_int_equal(t.counts, 3 * 1193182);
}

static void test_nothing_known(void **state)
{
    const struct clock_span none[] = { { 0, 1, 10, 20 }, { 1, 1, 10, 20 }, { 5, 1, 0, 20 }, { 5, 1, 20, 10 } };

    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        const struct clock_rate r = clock_rate_of(&none[i]), good = { 1, 1 };
        const struct clock_rate apart = clock_rate_apart(&good, 1, &r, 1);

        assert_true(r.low == 0 && r.high == 0 && apart.low == 0 && apart.high == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detuned), cmocka_unit_test(test_apart), cmocka_unit_test(test_edges),
        cmocka_unit_test(test_lost),    cmocka_unit_test(test_nothing_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
