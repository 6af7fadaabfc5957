/* SPDX-License-Identifier: MIT */
/* A step of the zoom: which slots stay, to the address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stats/zoom.h"

static uint64_t hits[REGION_SLOTS];

/* Slots of 16 bytes from 0x1000 on, asked for from 0x1004 to 0x2ffa. */
static const struct zoom_slots slots = {hits, 0x1000, 4, 0x1004, 0x2ffa};

static void expect(uint64_t least, bool narrower, uint64_t low, uint64_t high)
{
    uint64_t l, h;

    assert_int_equal(zoom_narrow(&slots, least, &l, &h), narrower);
    assert_int_equal(l, low);
    assert_int_equal(h, high);
}

static int begin(void **state)
{
    (void)state;
    memset(hits, 0, sizeof hits);
    return 0;
}

static void test_all_stay(void **state)
{
    (void)state;
    hits[3] = 1;
    hits[100] = 50;
    hits[200] = 2;
    expect(53, true, 0x1030, 0x1c90); /* no hit is left aside */
}

/* The emptier end goes first, as long as enough stay. */
static void test_some_go(void **state)
{
    (void)state;
    hits[3] = 1;
    hits[100] = 50;
    hits[200] = 2;
    expect(52, true, 0x1640, 0x1c90);
    expect(50, true, 0x1640, 0x1650);
    expect(1, true, 0x1640, 0x1650);
}

/* Hits in both the lowest and the highest slot end it; the addresses that were asked for are kept. */
static void test_end(void **state)
{
    (void)state;
    hits[0] = 1;
    hits[REGION_SLOTS - 1] = 1;
    expect(2, false, 0x1004, 0x2ffa);
}

static void test_nothing(void **state)
{
    uint64_t low, high;

    (void)state;
    zoom_narrow(&slots, 0, &low, &high);
    assert_true(low >= slots.low && low < high && high <= slots.high);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_all_stay, begin),
        cmocka_unit_test_setup(test_some_go, begin),
        cmocka_unit_test_setup(test_end, begin),
        cmocka_unit_test_setup(test_nothing, begin),
    };

    return cmocka_run_group_tests_name("zoom", tests, NULL, NULL);
}
