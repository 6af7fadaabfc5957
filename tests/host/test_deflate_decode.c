/* SPDX-License-Identifier: MIT */
/* kernel/lib/deflate_decode.c and gzip.c against zlib: what it packs is unpacked, and of damaged bytes what it refuses is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "kernel/lib/deflate_decode.c"
#include "kernel/lib/gzip.c"
#include "probe/schedule/splitmix64.h"

#define MOST 70000u

static uint64_t state;

static uint32_t below(uint32_t n)
{
    state += SPLITMIX64_GAMMA;
    return (uint32_t)(splitmix64_mix(state) % n);
}

/* Texts of few letters with repetitions near and far, then noise: all kinds of codes. */
static void make_text(uint8_t *text, size_t size, unsigned letters)
{
    for (size_t i = 0; i < size;) {
        size_t far = 1 + below(40000), times = 1 + below(300);

        for (text[i++] = (uint8_t)below(letters); far < i && times > 0 && i < size && letters < 256; times--, i++)
            text[i] = text[i - far];
    }
}

static size_t pack(const uint8_t *text, size_t size, uint8_t *to, int level, int strategy, int bits)
{
    z_stream z = {.next_in = (uint8_t *)text, .avail_in = (uInt)size, .next_out = to, .avail_out = 2 * MOST};

    assert_int_equal(deflateInit2(&z, level, Z_DEFLATED, bits, 8, strategy), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return z.total_out;
}

/* What zlib says: the bytes that it used, 0 where it refuses or they do not make `size` bytes. */
static size_t by_zlib(const uint8_t *from, size_t bytes, uint8_t *to, size_t size)
{
    uint8_t *const copy = malloc(size + 1);
    z_stream z = {.next_in = (uint8_t *)from, .avail_in = (uInt)bytes, .next_out = copy, .avail_out = (uInt)size + 1};
    const bool whole = inflateInit2(&z, -15) == Z_OK && inflate(&z, Z_FINISH) == Z_STREAM_END && z.total_out == size;

    if (whole)
        memcpy(to, copy, size);
    inflateEnd(&z);
    free(copy);
    return whole ? z.total_in : 0;
}

/* In memory of exactly these lengths, so that a byte too far is seen.  Whether both unpacked it. */
static bool same(const uint8_t *from, size_t bytes, size_t size)
{
    uint8_t *const packed = malloc(bytes ? bytes : 1), *const ours = malloc(size ? size : 1), *const theirs = malloc(size ? size : 1);
    size_t used;

    memcpy(packed, from, bytes);
    used = deflate_decode(packed, bytes, ours, size);
    assert_int_equal(used, by_zlib(packed, bytes, theirs, size));
    if (used)
        assert_memory_equal(ours, theirs, size);
    free(packed);
    free(ours);
    free(theirs);
    return used != 0;
}

static void test_unpacks_what_zlib_packs(void **unused)
{
    static const int strategies[] = {Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED};
    static const unsigned letters[] = {1, 2, 26, 255, 256};
    static const size_t sizes[] = {0, 1, 2, 300, 5000, MOST};
    static uint8_t text[MOST], packed[2 * MOST];

    (void)unused;
    for (size_t l = 0; l < sizeof letters / sizeof *letters; l++)
        for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
            for (size_t s = 0; s < sizeof strategies / sizeof *strategies; s++)
                for (int level = 0; level <= 9; level += 3) {
                    size_t bytes;

                    make_text(text, sizes[n], letters[l]);
                    bytes = pack(text, sizes[n], packed, level, strategies[s], -15);
                    assert_true(same(packed, bytes, sizes[n]));
                    assert_false(same(packed, bytes, sizes[n] + 1));
                    assert_false(sizes[n] > 0 && same(packed, bytes, sizes[n] - 1));
                    assert_false(same(packed, bytes - 1, sizes[n]));
                    packed[bytes] = 0; /* what lies behind the stream is not used */
                    assert_true(same(packed, bytes + 1, sizes[n]));
                }
}

/* Bits turned, bytes changed, cut short: mostly in the heads of blocks, where the codes are. */
static void test_refuses_what_zlib_refuses(void **unused)
{
    static uint8_t text[3000], packed[2 * MOST], damaged[2 * MOST];
    unsigned accepted = 0, refused = 0;

    (void)unused;
    for (unsigned turn = 0; turn < 40000; turn++) {
        const size_t size = 1 + below(turn % 4 ? 200 : sizeof text);
        size_t bytes;

        make_text(text, size, turn % 3 ? 30 : 256);
        bytes = pack(text, size, packed, (int)below(10), turn % 5 ? Z_DEFAULT_STRATEGY : Z_FIXED, -15);
        memcpy(damaged, packed, bytes);
        for (unsigned n = 1 + below(3); n > 0; n--) {
            const uint32_t at = below((uint32_t)(below(2) && bytes > 80 ? 80 : bytes));

            damaged[at] = (uint8_t)(below(2) ? below(256) : damaged[at] ^ 1u << below(8));
        }
        bytes -= below(8) ? 0 : below((uint32_t)bytes);
        *(same(damaged, bytes, size) ? &accepted : &refused) += 1;
    }
    assert_true(accepted > 100 && refused > 10000);
}

/* Streams of nothing but noise: few come far, but each of them begins with another code. */
static void test_refuses_noise(void **unused)
{
    uint8_t noise[400];

    (void)unused;
    for (unsigned turn = 0; turn < 200000; turn++) {
        const size_t bytes = below(sizeof noise);

        for (size_t i = 0; i < bytes; i++)
            noise[i] = (uint8_t)below(256);
        if (bytes > 0)
            noise[0] = (uint8_t)((noise[0] & ~6u) | (turn % 4 ? 4 : 2)); /* a block of codes */
        same(noise, bytes, below(1000));
    }
}

/* A file of gzip: of each byte a damage is seen, unless it says nothing of the contents. */
static void test_gzip(void **unused)
{
    static uint8_t text[2000], file[2 * MOST], unpacked[sizeof text];
    size_t bytes;

    (void)unused;
    make_text(text, sizeof text, 40);
    bytes = pack(text, sizeof text, file, 9, Z_DEFAULT_STRATEGY, 15 + 16);
    assert_int_equal(gzip_size(file, bytes), sizeof text);
    assert_true(gzip_decode(file, bytes, unpacked, sizeof text));
    assert_memory_equal(unpacked, text, sizeof text);
    for (size_t i = 0; i < bytes; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            file[i] ^= (uint8_t)(1u << bit);
            if (gzip_decode(file, bytes, unpacked, sizeof text)) {
                assert_true((i >= 4 && i < HEAD) || i == bytes - TAIL - 1); /* time and system; bits behind the stream's end */
                assert_memory_equal(unpacked, text, sizeof text);
            }
            file[i] ^= (uint8_t)(1u << bit);
        }
    for (size_t i = 0; i < bytes; i++) {
        uint8_t *const cut = malloc(i ? i : 1);

        memcpy(cut, file, i);
        assert_false(gzip_decode(cut, i, unpacked, sizeof text));
        free(cut);
    }
    assert_false(gzip_decode(file, bytes, unpacked, sizeof text - 1));
    assert_int_equal(gzip_size(file, HEAD + TAIL - 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unpacks_what_zlib_packs),
        cmocka_unit_test(test_refuses_what_zlib_refuses),
        cmocka_unit_test(test_refuses_noise),
        cmocka_unit_test(test_gzip),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
