/* SPDX-License-Identifier: MIT */
/*
 * Consistent Overhead Byte Stuffing: Cheshire and Baker, IEEE/ACM Transactions
 * on Networking 7(2), 1999, section III.
 */
#include "probe/coding/cobs.h"

#include <stdbool.h>

#include "probe/schedule/memory.h"

#define BLOCK_FULL 255 /* code of a block of 254 bytes that is not followed by a zero */

size_t cobs_encode(uint8_t *out, const uint8_t *in, size_t length)
{
    size_t code_at = 0, put = 1;
    uint8_t code = 1;

    for (size_t i = 0; i < length; i++) {
        /* A full block is closed only when more follows: no empty block at the end. */
        if (code == BLOCK_FULL) {
            out[code_at] = code;
            code_at = put++;
            code = 1;
        }
        if (in[i]) {
            out[put++] = in[i];
            code++;
        } else {
            out[code_at] = code;
            code_at = put++;
            code = 1;
        }
    }
    out[code_at] = code;
    return put;
}

/*
 * Whether one of eight bytes is zero: subtracting 1 sets the top bit of a zero byte.  The
 * borrow may also set that of the next byte, but the lowest bit set is always in a zero byte.
 */
static inline uint64_t word_has_zero(const uint8_t *bytes)
{
    const uint64_t ones = 0x0101010101010101;
    uint64_t word;

    memcpy(&word, bytes, sizeof word);
    return ((word - ones) & ~word & ones << 7) != 0;
}

static bool has_zero(const uint8_t *bytes, size_t length)
{
    const uint8_t *const end = bytes + length;

    for (; end - bytes >= 16; bytes += 16)
        if (word_has_zero(bytes) | word_has_zero(bytes + 8))
            return true;
    while (bytes != end)
        if (*bytes++ == 0)
            return true;
    return false;
}

ptrdiff_t cobs_decode(uint8_t *out, const uint8_t *in, size_t length)
{
    size_t at = 0, put = 0;

    while (at < length) {
        const uint8_t code = in[at++];
        const size_t run = code - (size_t)1;

        if (code == 0 || run > length - at || has_zero(in + at, run))
            return -1;
        memmove(out + put, in + at, run);
        put += run;
        at += run;
        if (code != BLOCK_FULL && at < length)
            out[put++] = 0;
    }
    return (ptrdiff_t)put;
}
