/* SPDX-License-Identifier: MIT */
/*
 * The CRC against zlib's, and against the check value of the standard.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "probe/coding/crc32.h"
#include "probe/schedule/carta.h"

static void test_check_value(void **state)
{
    (void)state;
    assert_int_equal(crc32_update(0, "123456789", 9), 0xcbf43926);
    assert_int_equal(crc32_update(0, "", 0), 0);
}

static void test_zlib(void **state)
{
    uint8_t bytes[1000];
    uint32_t x = 1;

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)carta_below(&x, 256);
    for (size_t length = 0; length <= sizeof bytes; length++)
        assert_int_equal(crc32_update(0, bytes, length), crc32(0, bytes, (uInt)length));
    for (unsigned byte = 0; byte < 256; byte++) {
        uint8_t one = (uint8_t)byte;

        assert_int_equal(crc32_update(0, &one, 1), crc32(0, &one, 1));
    }
}

/* Wherever it stands, and copies of the exact size. */
static void test_anywhere(void **state)
{
    static uint8_t bytes[4096];
    uint32_t x = 2;

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)carta_below(&x, 256);
    for (int round = 0; round < 20000; round++) {
        const size_t length = 1 + carta_below(&x, round % 2 ? 64 : 1500);
        const size_t at = carta_below(&x, sizeof bytes - length + 1);
        const uint32_t before = (uint32_t)carta_below(&x, 1ull << 32);
        uint8_t *copy = malloc(length);

        memcpy(copy, bytes + at, length);
        assert_int_equal(crc32_update(before, copy, length), crc32(before, copy, (uInt)length));
        assert_int_equal(crc32_update(before, bytes + at, length),
                         crc32(before, copy, (uInt)length));
        free(copy);
    }
}

static void test_in_parts(void **state)
{
    static const char text[] = "counters are cumulative, frames stand alone";
    uint32_t whole = crc32_update(0, text, sizeof text);

    (void)state;
    for (size_t cut = 0; cut <= sizeof text; cut++)
        assert_int_equal(crc32_update(crc32_update(0, text, cut), text + cut,
                                      sizeof text - cut), whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_value),
        cmocka_unit_test(test_zlib),
        cmocka_unit_test(test_anywhere),
        cmocka_unit_test(test_in_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
