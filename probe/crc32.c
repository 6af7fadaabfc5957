/* SPDX-License-Identifier: MIT */
/*
 * CRC-32 of ISO 3309, a byte at a time (Sarwate, CACM 31(8), 1988).
 */
#include "probe/crc32.h"

/*
 * The table is linear: an entry is the sum (exclusive or) of the entries of its
 * bits, which are x^39 ... x^32 modulo the polynomial, reflected.
 */
#define BIT(i, bit, remainder) ((i) & (bit) ? (remainder) : 0u)
#define ENTRY(i)                                                                         \
    (BIT(i, 0x01, 0x77073096u) ^ BIT(i, 0x02, 0xee0e612cu) ^ BIT(i, 0x04, 0x076dc419u) ^ \
     BIT(i, 0x08, 0x0edb8832u) ^ BIT(i, 0x10, 0x1db71064u) ^ BIT(i, 0x20, 0x3b6e20c8u) ^ \
     BIT(i, 0x40, 0x76dc4190u) ^ BIT(i, 0x80, 0xedb88320u))
#define ENTRIES4(i)  ENTRY(i), ENTRY((i) + 1), ENTRY((i) + 2), ENTRY((i) + 3)
#define ENTRIES16(i) ENTRIES4(i), ENTRIES4((i) + 4), ENTRIES4((i) + 8), ENTRIES4((i) + 12)
#define ENTRIES64(i) \
    ENTRIES16(i), ENTRIES16((i) + 16), ENTRIES16((i) + 32), ENTRIES16((i) + 48)

static const uint32_t table[256] = {
    ENTRIES64(0), ENTRIES64(64), ENTRIES64(128), ENTRIES64(192),
};

uint32_t crc32_update(uint32_t crc, const void *bytes, size_t length)
{
    const uint8_t *at = bytes;

    crc = ~crc;
    while (length--)
        crc = crc >> 8 ^ table[(crc ^ *at++) & 0xff];
    return ~crc;
}
