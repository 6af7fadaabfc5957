/* SPDX-License-Identifier: MIT */
/* Base45 is that of RFC 9285: its examples, all pairs of bytes, every text that is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/coding/base45.h"

static void test_examples(void **state)
{
    static const char *const examples[][2] = {
        {"AB", "BB8"}, {"Hello!!", "%69 VD92EX0"}, {"base-45", "UJCLQE7W581"}, {"ietf!", "QED8WEX0"}, {"", ""},
    };
    char out[32];
    uint8_t back[32];

    (void)state;
    for (unsigned i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const size_t length = strlen(examples[i][0]), wanted = strlen(examples[i][1]);

        assert_int_equal(BASE45_ROOM(length), wanted);
        assert_int_equal(base45_encode(out, (const uint8_t *)examples[i][0], length), wanted);
        assert_memory_equal(out, examples[i][1], wanted);
        assert_int_equal(base45_decode(back, examples[i][1], wanted), length);
        assert_memory_equal(back, examples[i][0], length);
    }
}

static void test_pairs(void **state)
{
    (void)state;
    for (unsigned pair = 0; pair <= 0xffff; pair++) {
        const uint8_t in[3] = {(uint8_t)(pair >> 8), (uint8_t)pair, (uint8_t)(pair * 7)};
        uint8_t back[5];
        char out[5];

        assert_int_equal(base45_encode(out, in, 3), 5);
        assert_int_equal(base45_decode(back, out, 5), 3);
        assert_memory_equal(back, in, 3);
    }
}

static void test_refused(void **state)
{
    static const char *const wrong[] = {"A", ":::", "GGW", ":::0", "AAa", "A\n", "::", "000A"};
    uint8_t back[8];

    (void)state;
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(base45_decode(back, wrong[i], strlen(wrong[i])), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples), cmocka_unit_test(test_pairs), cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
