/* SPDX-License-Identifier: MIT */
/*
 * The byte stuffing: examples of Cheshire and Baker's paper, the ends of the
 * blocks of 254, and bytes that no encoder wrote.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/coding/cobs.h"
#include "probe/schedule/carta.h"

static void check_pair(const void *plain, size_t length, const void *coded, size_t size)
{
    uint8_t out[600];

    assert_true(COBS_ROOM(length) <= sizeof out);
    assert_int_equal(cobs_encode(out, plain, length), size);
    assert_memory_equal(out, coded, size);
    assert_int_equal(cobs_decode(out, coded, size), length);
    assert_memory_equal(out, plain, length);
}

static void test_examples(void **state)
{
    (void)state;
    check_pair("", 0, "\x01", 1);
    check_pair("\0", 1, "\x01\x01", 2);
    check_pair("\0\0", 2, "\x01\x01\x01", 3);
    check_pair("\x11\x22\0\x33", 4, "\x03\x11\x22\x02\x33", 5);
    check_pair("\x11\0\0\0", 4, "\x02\x11\x01\x01\x01", 5);
    check_pair("Hello world\0", 12, "\x0cHello world\x01", 13);
}

/* 253, 254 and 255 bytes without a zero, and a zero behind them. */
static void test_full_blocks(void **state)
{
    uint8_t plain[256], coded[258];

    (void)state;
    memset(plain, 'x', sizeof plain);
    memset(coded, 'x', sizeof coded);
    coded[0] = 254;
    check_pair(plain, 253, coded, 254);
    coded[0] = 255;
    check_pair(plain, 254, coded, 255);
    coded[255] = 2;
    check_pair(plain, 255, coded, 257);
    plain[254] = 0;
    coded[255] = coded[256] = 1;
    check_pair(plain, 255, coded, 257);
}

static void test_round_trip(void **state)
{
    uint8_t plain[1200], coded[COBS_ROOM(sizeof plain)];
    uint32_t x = 1;

    (void)state;
    for (int round = 0; round < 5000; round++) {
        size_t length = carta_below(&x, sizeof plain + 1), size;
        uint64_t zeros = 1 + carta_below(&x, 600);

        for (size_t i = 0; i < length; i++)
            plain[i] = carta_below(&x, zeros) ? (uint8_t)(1 + carta_below(&x, 255)) : 0;
        size = cobs_encode(coded, plain, length);
        assert_true(size <= COBS_ROOM(length));
        assert_null(memchr(coded, 0, size));
        /* In place. */
        assert_int_equal(cobs_decode(coded, coded, size), length);
        assert_memory_equal(coded, plain, length);
    }
}

static void test_damage(void **state)
{
    uint8_t out[8];

    (void)state;
    assert_int_equal(cobs_decode(out, (const uint8_t *)"\x03\x11", 2), -1);
    assert_int_equal(cobs_decode(out, (const uint8_t *)"\xff", 1), -1);
    assert_int_equal(cobs_decode(out, (const uint8_t *)"\x01\0", 2), -1);
    assert_int_equal(cobs_decode(out, (const uint8_t *)"\x03\x11\0", 3), -1);
    assert_int_equal(cobs_decode(out, (const uint8_t *)"", 0), 0);
}

/* Buffers of the exact size, so that the sanitizer sees a byte too far. */
static void test_any_bytes(void **state)
{
    uint32_t x = 2;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t length = 1 + carta_below(&x, 300);
        uint8_t *in = malloc(length), *out = malloc(length);
        uint64_t range = 1 + carta_below(&x, 256);

        for (size_t i = 0; i < length; i++)
            in[i] = (uint8_t)carta_below(&x, range);
        assert_in_range(cobs_decode(out, in, length) + 1, 0, length);
        free(in);
        free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_full_blocks),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_any_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
