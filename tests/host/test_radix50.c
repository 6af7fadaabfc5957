/* SPDX-License-Identifier: MIT */
/*
 * RADIX-50 by hand from DEC's definition, ((c1 x 50) + c2) x 50 + c3 in octal:
 * "ABC" is (1 x 40 + 2) x 40 + 3 = 1683.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "probe/core/mode.h"
#include "probe/text/radix50.h"

static void test_by_hand(void **state)
{
    static const struct {
        const char *name;
        uint32_t high, low;
    } rows[] = {
        {"ABC", 1683, 0},          /* 1 x 1600 + 2 x 40 + 3 */
        {"X2B", 39682, 0},         /* the manual's example, 115402 octal */
        {"...LDR", 45948, 19378},  /* 28 x 1641; 12 x 1600 + 4 x 40 + 18 */
        {"IDLE", 14572, 8000},     /* 9 x 1600 + 4 x 40 + 12; 5 x 1600 */
        {"999999", 63999, 63999},  /* 39 x 1641, the largest */
        {"$", 43200, 0},           /* 27 x 1600 */
        {"  A", 1, 0},
        {"", 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t id = 0xdeadbeef;
        char name[7];

        assert_true(radix50_pack(rows[i].name, &id));
        assert_int_equal(id, rows[i].high << 16 | rows[i].low);
        assert_true(radix50_unpack(id, name));
        assert_string_equal(name, rows[i].name);
    }
}

static void test_case_and_padding(void **state)
{
    uint32_t lower, upper;
    char name[7];

    (void)state;
    assert_true(radix50_pack("rogue", &lower));
    assert_true(radix50_pack("ROGUE ", &upper));
    assert_int_equal(lower, upper);
    assert_true(radix50_unpack(lower, name));
    assert_string_equal(name, "ROGUE");
}

static void test_refused(void **state)
{
    static const char *const names[] = {"SEVENCH", "A_B", "A-B", "\x80", "@", "[", "/", "a!"};
    uint32_t id = 42;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_false(radix50_pack(names[i], &id));
    assert_int_equal(id, 42);
}

static void test_every_half(void **state)
{
    (void)state;
    for (uint32_t half = 0; half <= 0xffff; half++) {
        char name[7];
        uint32_t id = ~half;

        assert_int_equal(radix50_unpack(half << 16 | 1, name), half <= 0xf9ff);
        assert_int_equal(radix50_unpack(half, name), half <= 0xf9ff);
        if (half <= 0xf9ff) {
            assert_true(radix50_pack(name, &id));
            assert_int_equal(id, half);
        }
    }
}

static void test_rows_are_no_names(void **state)
{
    char name[7];

    (void)state;
    assert_false(radix50_unpack(ROW_IDLE, name));
    assert_false(radix50_unpack(ROW_MASKED, name));
    assert_false(radix50_unpack(ROW_LOST, name));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_case_and_padding),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_every_half),
        cmocka_unit_test(test_rows_are_no_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
