/* SPDX-License-Identifier: MIT */
/*
 * Rows that are retired to row ENDED (probe/core/system_monitor.c): whatever is sampled and retired
 * in whatever order, what a tick closes adds up to the samples, before, in the middle
 * of and after each retirement.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/schedule/splitmix64.h"
#include "probe/core/system_monitor.h"

#define STEPS 200000u
#define IDS   400u /* more than there are records */

static struct system_monitor m;
static uint64_t state;

static uint64_t below(uint64_t width)
{
    return splitmix64_mix(state += SPLITMIX64_GAMMA) % width;
}

/* Ids whose homes lie close, so that places are fought for. */
static uint32_t id_of(uint64_t number)
{
    return (uint32_t)(number * 0x01010003u + 1);
}

/* What a row is known to have had since its record was made, beside the monitor. */
struct truth {
    uint64_t hits[MODES], changes[MODES], total_changes;
};

static void add_to(struct truth *to, const struct system_record *r)
{
    for (unsigned mode = 0; mode < MODES; mode++) {
        to->hits[mode] += r->hits[mode];
        to->changes[mode] += r->changes[mode];
    }
    to->total_changes += r->total_changes;
}

static uint64_t hits_of(const struct system_record *r)
{
    uint64_t sum = 0;

    for (unsigned slot = 0; slot < SYSTEM_SLOTS; slot++)
        sum += r->hits[slot];
    return sum;
}

/*
 * All rows of what a tick would close now; those of `ended` in it; and the row `gone`, 0: none, that is told no more.
 */
static uint64_t closed_sum(struct truth *ended, uint64_t gone)
{
    struct system_monitor copy = m;
    uint64_t sum;

    system_settle(&copy);
    memset(ended, 0, sizeof(*ended));
    add_to(ended, &copy.ended);
    sum = hits_of(&copy.ended) + hits_of(&copy.masked) + hits_of(&copy.lost);
    for (unsigned i = 0; i < SYSTEM_RECORDS; i++) {
        sum += hits_of(&copy.record[i]);
        assert_true(gone == 0 || copy.record[i].key != gone);
    }
    return sum;
}

/* What pairs tell: each that falls apart is counted in both of its rows, at most. */
static void check_changes(const struct truth *before, const struct truth *after)
{
    for (unsigned mode = 0; mode < MODES; mode++) {
        assert_true(after->hits[mode] >= before->hits[mode]);
        assert_true(after->changes[mode] >= before->changes[mode]);
    }
    assert_true(after->total_changes >= before->total_changes);
}

static void tick(uint32_t id, bool pair)
{
    const struct sample s = {.task = id, .mode = (enum mode)below(MODES)};

    system_tick(&m, &s, below(50) == 0, pair);
}

static void retire(uint32_t id, uint64_t samples, bool tick_between)
{
    struct truth before, during, after;

    assert_int_equal(closed_sum(&before, 0), samples);
    system_retire_begin(&m, id);
    assert_int_equal(closed_sum(&during, id | SYSTEM_USED), samples);
    if (tick_between) /* one that nothing masks, of a row that lives: its pair began in the row that goes */
        tick(id_of(IDS), true);
    system_retire_end(&m);
    assert_int_equal(closed_sum(&after, id | SYSTEM_USED), samples + tick_between);
    check_changes(&before, &during);
    check_changes(&during, &after);
    assert_int_equal(system_hits(&m, id), 0);
}

static void everything_adds_up(void **unused)
{
    uint64_t samples = 1, retired = 0;
    uint32_t last = id_of(0);

    (void)unused;
    system_init(&m);
    tick(id_of(IDS), false); /* the first sample has no pair */
    for (unsigned step = 0; step < STEPS; step++) {
        if (below(10) == 0) {
            const bool between = below(2) != 0;
            const uint32_t id = below(2) != 0 ? last : id_of(below(IDS)); /* the one of the last sample too */

            retire(id, samples, between);
            samples += between;
            retired++;
        } else {
            last = id_of(below(IDS));
            tick(last, below(2) != 0);
            samples++;
        }
    }
    assert_true(retired > STEPS / 20);
    assert_true(hits_of(&m.lost) > 0); /* places were fought for */
}

/* The interval of ENDED is made from an upper bound: no pair that fell apart is forgotten. */
static void no_change_is_forgotten(void **unused)
{
    const struct sample a = {.task = id_of(1), .mode = MODE_USER}, b = {.task = id_of(2), .mode = MODE_USER};
    struct truth ended;

    (void)unused;
    system_init(&m);
    system_tick(&m, &a, false, false);
    system_tick(&m, &b, false, true); /* a pair of two rows, which both end */
    system_tick(&m, &a, false, false);
    system_retire_begin(&m, a.task);
    system_retire_end(&m);
    system_tick(&m, &b, false, true); /* it began in the row that has gone */
    system_retire_begin(&m, b.task);
    system_retire_end(&m);
    closed_sum(&ended, 0);
    assert_int_equal(ended.hits[MODE_USER], 4);
    assert_int_equal(ended.total_changes, 4);
    assert_int_equal(ended.changes[MODE_USER], 4);
}

/* What is retired makes room, and nothing else does. */
static void a_record_is_free_again(void **unused)
{
    (void)unused;
    system_init(&m);
    for (uint32_t n = 0; n < SYSTEM_PROBES; n++) /* ids of one hash, as tasks=collide has them */
        assert_true(system_reserve(&m, 0x01010040u + 0x0101u * n));
    assert_false(system_reserve(&m, 0x01010040u + 0x0101u * SYSTEM_PROBES));
    assert_int_equal(system_row_at(&m, 0x01010040u, 2), 0x01010242u);
    system_retire_begin(&m, 0x01010242u);
    system_retire_end(&m);
    assert_int_equal(system_row_at(&m, 0x01010040u, 2), 0);
    assert_true(system_reserve(&m, 0x01010040u + 0x0101u * SYSTEM_PROBES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_adds_up),
        cmocka_unit_test(no_change_is_forgotten),
        cmocka_unit_test(a_record_is_free_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
