/* SPDX-License-Identifier: MIT */
/* The ranges of an address space, against an array that has one entry for each page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/process/memory_ranges.c"

#define PAGES 64u
#define PAGE  4096u
#define NONE  0xff

static uint8_t model[PAGES]; /* access of each page; NONE: in no range */

static uint32_t ranges_of_model(void)
{
    uint32_t n = 0;

    for (unsigned i = 0; i < PAGES; i++)
        n += model[i] != NONE && (i == 0 || model[i] != model[i - 1]);
    return n;
}

static uint64_t gap_of_model(unsigned pages, unsigned low, unsigned high)
{
    for (unsigned from = high - pages; (int)from >= (int)low; from--) {
        unsigned i = 0;

        while (i < pages && model[from + i] == NONE)
            i++;
        if (i == pages)
            return from * PAGE;
    }
    return 0;
}

static void agree(const struct memory_ranges *r)
{
    uint64_t bytes = 0;

    assert_int_equal(r->count, ranges_of_model());
    for (unsigned i = 0; i < PAGES; i++) {
        const struct memory_range *const at = ranges_find(r, i * PAGE + 5);

        assert_int_equal(at != NULL, model[i] != NONE);
        if (at != NULL)
            assert_int_equal(at->access, model[i]);
        bytes += model[i] != NONE ? PAGE : 0;
    }
    assert_int_equal(ranges_bytes(r), bytes);
}

static void ask(const struct memory_ranges *r, unsigned from, unsigned to)
{
    bool meets = false, covers = true;
    uint32_t access = 0;

    for (unsigned i = from; i < to; i++) {
        meets |= model[i] != NONE;
        covers &= model[i] != NONE;
        access |= model[i] != NONE ? model[i] : 0;
    }
    assert_int_equal(ranges_meet(r, from * PAGE, to * PAGE), meets);
    assert_int_equal(ranges_cover(r, from * PAGE, to * PAGE), covers);
    assert_int_equal(ranges_access(r, from * PAGE, to * PAGE), access);
}

static void test_model(void **state)
{
    static struct memory_ranges r;

    (void)state;
    memset(model, NONE, sizeof model);
    srand(1);
    for (unsigned step = 0; step < 20000; step++) {
        const unsigned from = 1 + (unsigned)rand() % (PAGES - 1), to = from + 1 + (unsigned)rand() % (PAGES - from);
        const uint8_t access = (uint8_t)(rand() % 4);

        if (rand() % 3 != 0) {
            assert_true(ranges_set(&r, from * PAGE, to * PAGE, access));
            memset(model + from, access, to - from);
        } else {
            assert_true(ranges_clear(&r, from * PAGE, to * PAGE));
            memset(model + from, NONE, to - from);
        }
        agree(&r);
        ask(&r, from, to);
        assert_int_equal(ranges_gap(&r, (to - from) * PAGE, PAGE, PAGES * PAGE), gap_of_model(to - from, 1, PAGES));
    }
}

static void test_full(void **state)
{
    static struct memory_ranges r;
    uint64_t at = PAGE;

    (void)state;
    while (ranges_set(&r, at, at + PAGE, MEMORY_READ))
        at += 2 * PAGE;
    assert_in_range(r.count, MEMORY_RANGES_MAX - 2, MEMORY_RANGES_MAX);
    assert_false(ranges_set(&r, at, at + PAGE, MEMORY_WRITE));
    assert_null(ranges_find(&r, at)); /* refused: nothing has changed */
    assert_true(ranges_clear(&r, 0, at));
    assert_int_equal(r.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_model), cmocka_unit_test(test_full) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
