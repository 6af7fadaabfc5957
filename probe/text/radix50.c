/* SPDX-License-Identifier: MIT */
/*
 * RADIX-50, three characters in 16 bits, base 40 (octal 50): DEC, "MACRO-11
 * Language Reference Manual", appendix A.
 */
#include "probe/text/radix50.h"

#include <stddef.h>

#define BASE       40u
#define HALF_MAX   (BASE * BASE * BASE - 1) /* 0xf9ff */
#define CHARACTERS 6

static const char alphabet[] = " ABCDEFGHIJKLMNOPQRSTUVWXYZ$.%0123456789";

static uint32_t code_of(char c)
{
    uint32_t code = 0;

    if (c >= 'a' && c <= 'z')
        c = (char)(c - 'a' + 'A');
    while (code < BASE && alphabet[code] != c)
        code++;
    return code;
}

bool radix50_pack(const char *name, uint32_t *id)
{
    uint32_t half[2] = {0, 0};

    for (size_t i = 0; i < CHARACTERS; i++) {
        uint32_t code = *name ? code_of(*name++) : 0;

        if (code == BASE)
            return false;
        half[i / 3] = half[i / 3] * BASE + code;
    }
    if (*name)
        return false;
    *id = half[0] << 16 | half[1];
    return true;
}

bool radix50_unpack(uint32_t id, char name[7])
{
    uint32_t half[2] = {id >> 16, id & 0xffff};
    size_t length = CHARACTERS;

    if (half[0] > HALF_MAX || half[1] > HALF_MAX)
        return false;
    for (size_t i = CHARACTERS; i-- > 0; half[i / 3] /= BASE)
        name[i] = alphabet[half[i / 3] % BASE];
    while (length > 0 && name[length - 1] == ' ')
        length--;
    name[length] = '\0';
    return true;
}
