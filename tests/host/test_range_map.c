/* SPDX-License-Identifier: MIT */
/*
 * The flattening of ranges against its rule, applied from end to end, for
 * ranges that lie in, over and beside one another at random.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tools/base/range_map.h"

#define RANGES 12
#define SPAN   64

static size_t by_rule(const struct range *range, size_t count, uint64_t address)
{
    const struct range *best = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct range *r = &range[i];

        if (address < r->start || address >= r->end)
            continue;
        if (!best || r->start > best->start || (r->start == best->start && r->end < best->end) ||
            (r->start == best->start && r->end == best->end && r->what > best->what))
            best = r;
    }
    return best ? best->what : RANGE_NONE;
}

static void check(struct range *range, size_t count)
{
    struct range_map m;

    range_map_build(&m, range, count);
    for (uint64_t at = 0; at < SPAN + 2; at++) {
        size_t want = by_rule(range, count, at);
        uint64_t end;

        assert_int_equal(range_map_find(&m, at, &end), want);
        assert_true(end > at);
        for (uint64_t same = at; same < end && same < SPAN + 2; same++)
            assert_int_equal(by_rule(range, count, same), want);
    }
    assert_int_equal(range_map_find(&m, UINT64_MAX, NULL), RANGE_NONE);
    range_map_free(&m);
}

static void test_random(void **state)
{
    struct range range[RANGES];
    unsigned seed = 1;

    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        size_t count = (size_t)rand_r(&seed) % (RANGES + 1);

        for (size_t i = 0; i < count; i++) {
            range[i].start = (unsigned)rand_r(&seed) % SPAN;
            range[i].end = range[i].start + (unsigned)rand_r(&seed) % (SPAN / 4);
            range[i].what = i;
        }
        check(range, count);
    }
}

static void test_ends(void **state)
{
    struct range range[] = {{UINT64_MAX - 8, UINT64_MAX, 7}, {9, 3, 1}, {5, 5, 2}, {0, 4, 3}};
    struct range_map m;

    (void)state;
    range_map_build(&m, range, 4);
    assert_int_equal(range_map_find(&m, 0, NULL), 3);
    assert_int_equal(range_map_find(&m, 5, NULL), RANGE_NONE);
    assert_int_equal(range_map_find(&m, UINT64_MAX - 1, NULL), 7);
    range_map_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
