/* SPDX-License-Identifier: MIT */
/*
 * The CRC against zlib's, and against the check value of the standard.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <zlib.h>

#include "probe/carta.h"
#include "probe/crc32.h"

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
        cmocka_unit_test(test_in_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
