/* SPDX-License-Identifier: MIT */
/* Maps of firmware that contradict themselves, against an array that has one entry for each page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot/memory_map.c"

#define PAGES  512u
#define WINDOW (LOWEST - 16 * FRAME) /* the model's first page: 16 of them are too low to be free */
#define TOP    (FOUR_GIB - PAGES / 2 * FRAME) /* of the other window, half of which is too high */
#define MAPS   3000

static struct boot_info info;
static bool called_free[PAGES], reserved[PAGES];
static uint64_t window;

static void begin(uint64_t at)
{
    memset(&info, 0, sizeof info);
    memset(called_free, 0, sizeof called_free);
    memset(reserved, 0, sizeof reserved);
    window = at;
}

/* A page is free where one entry has all of it. */
static void model_free(uint64_t base, uint64_t length)
{
    for (unsigned i = 0; i < PAGES; i++) {
        const uint64_t page = window + i * FRAME;

        if (base <= page && base + length >= page + FRAME && page >= LOWEST && page + FRAME <= FOUR_GIB)
            called_free[i] = true;
    }
}

static void model_reserve(uint64_t base, uint64_t length)
{
    for (unsigned i = 0; i < PAGES; i++) {
        const uint64_t page = window + i * FRAME;

        if (length != 0 && base < page + FRAME && base + length > page)
            reserved[i] = true;
    }
}

static bool has(uint64_t page)
{
    for (uint32_t i = 0; i < info.regions; i++)
        if (info.region[i].base <= page && page < info.region[i].base + info.region[i].length)
            return true;
    return false;
}

/* Ordered, apart, of whole pages, within the limits. */
static void assert_sound(void)
{
    uint64_t last = 0;

    assert_true(info.regions <= BOOT_REGIONS);
    for (uint32_t i = 0; i < info.regions; i++) {
        const struct boot_region *const r = &info.region[i];

        assert_true(r->length > 0);
        assert_int_equal((r->base | r->length) % FRAME, 0);
        assert_true(r->base >= LOWEST && r->base + r->length <= FOUR_GIB);
        assert_true(i == 0 || r->base > last);
        last = r->base + r->length;
    }
}

/* `exact`: there was room for each region, so that no free page is missing. */
static void assert_agrees(bool exact)
{
    assert_sound();
    for (unsigned i = 0; i < PAGES; i++) {
        const bool is_free = called_free[i] && !reserved[i], found = has(window + i * FRAME);

        assert_true(is_free || !found);
        assert_true(!exact || is_free == found);
    }
}

/* Half of the entries begin and end within a page. */
static void random_entry(unsigned pages, uint64_t *base, uint64_t *length)
{
    *base = window + (unsigned)(random() % PAGES) * FRAME;
    *length = (unsigned)(random() % pages) * FRAME;
    if (random() % 2) {
        *base += (unsigned)random() % FRAME;
        *length += (unsigned)random() % FRAME;
    }
}

static void try_map(unsigned entries, unsigned pages, bool exact)
{
    uint64_t base, length;

    for (unsigned i = 0; i < entries; i++) {
        random_entry(pages, &base, &length);
        memory_map_free(&info, base, length);
        model_free(base, length);
    }
    for (unsigned i = 0; i < entries; i++) {
        random_entry(pages, &base, &length);
        memory_map_reserve(&info, base, length);
        model_reserve(base, length);
    }
    assert_agrees(exact);
}

/* Of so few entries each may divide a region, and there is room for all. */
static void test_few(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MAPS; i++) {
        begin(i % 2 ? WINDOW : TOP);
        try_map(1 + (unsigned)random() % (BOOT_REGIONS / 2), 1 + (unsigned)random() % 64, true);
    }
}

/* More entries than there is room for: memory may be missing, but none that is reserved is given away. */
static void test_many(void **state)
{
    unsigned full = 0;
    uint64_t base, length;

    (void)state;
    for (unsigned i = 0; i < MAPS; i++) {
        begin(i % 2 ? WINDOW : TOP);
        for (unsigned page = (unsigned)random() % 3; page < PAGES - 4; page += 3 + (unsigned)random() % 3) {
            base = window + page * FRAME;
            length = (1 + (unsigned)random() % 3) * FRAME;
            memory_map_free(&info, base, length);
            model_free(base, length);
        }
        assert_agrees(false);
        for (unsigned n = 0; n < 20; n++) {
            random_entry(3, &base, &length);
            memory_map_reserve(&info, base, length);
            model_reserve(base, length);
        }
        assert_agrees(false);
        full += info.regions == BOOT_REGIONS;
    }
    assert_true(full > 0);
}

static void test_the_largest_stay(void **state)
{
    (void)state;
    begin(LOWEST);
    for (unsigned i = 0; i < 3 * BOOT_REGIONS; i++)
        memory_map_free(&info, LOWEST + i * 0x100000ull, (1 + i % 192) * FRAME);
    assert_sound();
    assert_int_equal(info.regions, BOOT_REGIONS);
    for (uint32_t i = 0; i < info.regions; i++)
        assert_true(info.region[i].length > 128 * FRAME);
}

static void assert_one(uint64_t base, uint64_t length)
{
    assert_int_equal(info.regions, 1);
    assert_int_equal(info.region[0].base, base);
    assert_int_equal(info.region[0].length, length);
}

static void test_limits(void **state)
{
    (void)state;
    begin(LOWEST);
    memory_map_free(&info, 0x200000, UINT64_MAX);            /* past the end */
    memory_map_free(&info, UINT64_MAX - FRAME, 2 * FRAME);
    memory_map_free(&info, FOUR_GIB, FOUR_GIB);
    memory_map_free(&info, 0x200000, 0);
    memory_map_free(&info, 0x200001, 2 * FRAME - 2);         /* no whole page */
    memory_map_free(&info, 0, LOWEST);
    assert_int_equal(info.regions, 0);
    memory_map_free(&info, 0, 1ull << 40);
    assert_one(LOWEST, FOUR_GIB - LOWEST);
    memory_map_reserve(&info, 0x200000, 0);
    memory_map_reserve(&info, FOUR_GIB, UINT64_MAX);
    memory_map_reserve(&info, UINT64_MAX, 1);
    assert_one(LOWEST, FOUR_GIB - LOWEST);
    memory_map_reserve(&info, 0xfffff001, UINT64_MAX);       /* past the end: all from there on */
    assert_one(LOWEST, 0xfffff000 - LOWEST);
    memory_map_reserve(&info, 0x300fff, UINT64_MAX - 0x1000);
    assert_one(LOWEST, 0x300000 - LOWEST);
    memory_map_reserve(&info, 0, UINT64_MAX);
    assert_int_equal(info.regions, 0);
}

/* The same page is in no two regions, or it would be given out twice. */
static void test_overlap(void **state)
{
    (void)state;
    begin(LOWEST);
    memory_map_free(&info, 0x400000, 0x100000);
    memory_map_free(&info, 0x200000, 0x100000);
    memory_map_free(&info, 0x280000, 0x200000);
    assert_one(0x200000, 0x300000);
    memory_map_free(&info, 0x500000, FRAME); /* it touches */
    assert_one(0x200000, 0x301000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few),   cmocka_unit_test(test_many),    cmocka_unit_test(test_the_largest_stay),
        cmocka_unit_test(test_limits), cmocka_unit_test(test_overlap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
