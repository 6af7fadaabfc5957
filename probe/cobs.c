/* SPDX-License-Identifier: MIT */
/*
 * Consistent Overhead Byte Stuffing: Cheshire and Baker, IEEE/ACM Transactions
 * on Networking 7(2), 1999, section III.
 */
#include "probe/cobs.h"

#define BLOCK_FULL 255 /* code of 254 bytes that no zero follows */

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

ptrdiff_t cobs_decode(uint8_t *out, const uint8_t *in, size_t length)
{
    size_t at = 0, put = 0;

    while (at < length) {
        uint8_t code = in[at++];

        if (code == 0 || code - 1u > length - at)
            return -1;
        for (unsigned i = 1; i < code; i++) {
            if (in[at] == 0)
                return -1;
            out[put++] = in[at++];
        }
        if (code != BLOCK_FULL && at < length)
            out[put++] = 0;
    }
    return (ptrdiff_t)put;
}
