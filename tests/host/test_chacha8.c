/* SPDX-License-Identifier: MIT */
/*
 * ChaCha8 against published key streams: TC1, TC2 and TC8 of
 * draft-strombergson-chacha-test-vectors (256-bit keys, 8 rounds), and the block
 * of counter -1 that Bernstein's reference gives for a key of zeros.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "probe/schedule/chacha8.h"

#define TC8_KEY {0xb1c16ec4, 0x78a8e88c, 0xe7375a72, 0x35b7df80, \
                 0x2eed681f, 0xfb794c19, 0xe1beaec6, 0x5d9767a6}

static const struct {
    struct chacha8_key key;
    uint64_t number;
    const char *stream; /* hexadecimal, as bytes */
} vectors[] = {
    {{{0}, {0}}, 0,
     "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
     "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"},
    {{{0}, {0}}, 1,
     "d2aefa0deaa5c151bf0adb6c01f2a5adc0fd581259f9a2aadcf20f8fd566a26b"
     "5032ec38bbc5da98ee0c6f568b872a65a08abf251deb21bb4b56e5d8821e68aa"},
    {{{0}, {0}}, UINT64_MAX,
     "df8a0bceca2fbb111f29978fa9a64407c68ced975ff55a24707265d0687e6aef"
     "b3597eac46e4b0a79b3a49c8b0f1775ac3edd7eb6a6d9bcb38f276517a79e014"},
    {{{1}, {0}}, 0,
     "cf5ee9a0494aa9613e05d5ed725b804b12f4a465ee635acc3a311de8740489ea"
     "289d04f43c7518db56eb4433e498a1238cd8464d3763ddbb9222ee3bd8fae3c8"},
    {{TC8_KEY, {0xd531da1a, 0x218268cf}}, 0,
     "838751b42d8ddd8a3d77f48825a2ba752cf4047cb308a5978ef274973be374c9"
     "6ad848065871417b08f034e681fe46a93f7d5c61d1306614d4aaf257a7cff08b"},
    {{TC8_KEY, {0xd531da1a, 0x218268cf}}, 1,
     "16f2fda170cc18a4b58a2667ed962774af792a6e7f3c77992540711a7a136d7e"
     "8a2f8d3f93816709d45a3fa5f8ce72fde15be7b841acba3a2abd557228d9fe4f"},
};

static void test_vectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint32_t block[CHACHA8_WORDS];
        char stream[8 * CHACHA8_WORDS + 1];

        chacha8_block(block, &vectors[i].key, vectors[i].number);
        for (unsigned at = 0; at < 4 * CHACHA8_WORDS; at++)
            snprintf(stream + 2 * at, 3, "%02x", block[at / 4] >> 8 * (at % 4) & 0xff);
        assert_string_equal(stream, vectors[i].stream);
    }
}

/* The counter's high half counts: block 2^32 is not block 0. */
static void test_counter(void **state)
{
    const struct chacha8_key key = {{7}, {0}};
    uint32_t low[CHACHA8_WORDS], high[CHACHA8_WORDS];

    (void)state;
    chacha8_block(low, &key, 0);
    chacha8_block(high, &key, (uint64_t)1 << 32);
    assert_memory_not_equal(low, high, sizeof low);
}

/* Four at once are the four, on either side of a carry into the high half and of the last number. */
static void test_four(void **state)
{
    static const uint64_t numbers[] = {0, 1, 0xfffffffc, 0xfffffffd, 0xfffffffe, 0xffffffff, 0x1fffffffe,
                                       UINT64_MAX - 3, UINT64_MAX - 2, UINT64_MAX - 1, UINT64_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
            uint32_t one[CHACHA8_WORDS], four[CHACHA8_FOUR + 1];

            chacha8_four(four + 1, &vectors[i].key, numbers[n]); /* wherever it lies */
            for (unsigned b = 0; b < CHACHA8_FOUR / CHACHA8_WORDS; b++) {
                chacha8_block(one, &vectors[i].key, numbers[n] + b);
                assert_memory_equal(four + 1 + b * CHACHA8_WORDS, one, sizeof one);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_counter),
        cmocka_unit_test(test_four),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
