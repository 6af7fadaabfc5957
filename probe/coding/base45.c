/* SPDX-License-Identifier: MIT */
/* Base45: two bytes are three digits of base 45, the lowest first; a byte that is left is two. */
#include "probe/coding/base45.h"

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

size_t base45_encode(char *out, const uint8_t *in, size_t length)
{
    size_t put = 0;

    for (size_t i = 0; i < length; i += 2) {
        unsigned value = i + 1 < length ? 256u * in[i] + in[i + 1] : in[i];

        for (unsigned left = i + 1 < length ? 3 : 2; left != 0; left--, value /= 45)
            out[put++] = digits[value % 45];
    }
    return put;
}

/* 45: it is none. */
static unsigned digit_of(char c)
{
    unsigned digit = 0;

    while (digit < 45 && digits[digit] != c)
        digit++;
    return digit;
}

ptrdiff_t base45_decode(uint8_t *out, const char *in, size_t length)
{
    ptrdiff_t put = 0;

    for (size_t i = 0; i < length; i += 3) {
        const unsigned count = length - i < 3 ? (unsigned)(length - i) : 3;
        unsigned value = 0;

        for (unsigned j = count; j-- > 0;) {
            if (digit_of(in[i + j]) == 45)
                return -1;
            value = 45 * value + digit_of(in[i + j]);
        }
        if (count == 1 || value >> (count == 3 ? 16 : 8) != 0)
            return -1;
        if (count == 3)
            out[put++] = (uint8_t)(value >> 8);
        out[put++] = (uint8_t)value;
    }
    return put;
}
