/* SPDX-License-Identifier: MIT */
/*
 * CRC-32 of ISO 3309, in five braids of words: words 0, 5, 10 ... are the first, words
 * 1, 6, 11 ... the second, and so on.  The five computations do not depend on each other
 * (Kadatch and Jenkins, "Everything we know about CRC but afraid to forget", 2010; zlib
 * uses it too).  Words have four bytes instead of eight to keep the tables small, 5 KiB:
 * they are part of an image in flash.
 */
#include "probe/coding/crc32.h"

#define WORD  4
#define BLOCK (5 * WORD) /* one word of each braid */

/*
 * Tables are linear: an entry is the exclusive or of the entries of its set bits.  The
 * arguments of TABLE are the entries of the eight single bits.
 */
#define BIT(i, bit, later) ((i) & (bit) ? (later) : 0u)
#define ENTRY(i, a, b, c, d, e, f, g, h)                                                   \
    (BIT(i, 0x01, a) ^ BIT(i, 0x02, b) ^ BIT(i, 0x04, c) ^ BIT(i, 0x08, d) ^               \
     BIT(i, 0x10, e) ^ BIT(i, 0x20, f) ^ BIT(i, 0x40, g) ^ BIT(i, 0x80, h))
#define ENTRIES4(i, ...)                                                                   \
    ENTRY(i, __VA_ARGS__), ENTRY((i) + 1, __VA_ARGS__), ENTRY((i) + 2, __VA_ARGS__),       \
        ENTRY((i) + 3, __VA_ARGS__)
#define ENTRIES16(i, ...)                                                                  \
    ENTRIES4(i, __VA_ARGS__), ENTRIES4((i) + 4, __VA_ARGS__),                              \
        ENTRIES4((i) + 8, __VA_ARGS__), ENTRIES4((i) + 12, __VA_ARGS__)
#define ENTRIES64(i, ...)                                                                  \
    ENTRIES16(i, __VA_ARGS__), ENTRIES16((i) + 16, __VA_ARGS__),                           \
        ENTRIES16((i) + 32, __VA_ARGS__), ENTRIES16((i) + 48, __VA_ARGS__)
#define TABLE(...)                                                                         \
    {ENTRIES64(0, __VA_ARGS__), ENTRIES64(64, __VA_ARGS__), ENTRIES64(128, __VA_ARGS__),   \
     ENTRIES64(192, __VA_ARGS__)}

/* Moves the low byte on by one byte: x^39 ... x^32 modulo the polynomial, reflected. */
static const uint32_t near[256] =
    TABLE(0x77073096u, 0xee0e612cu, 0x076dc419u, 0x0edb8832u,
          0x1db71064u, 0x3b6e20c8u, 0x76dc4190u, 0xedb88320u);

/* Move each of the four bytes on by one block. */
static const uint32_t far[WORD][256] = {
    TABLE(0x65673b46u, 0xcace768cu, 0x4eedeb59u, 0x9ddbd6b2u,
          0xe0c6ab25u, 0x1afc500bu, 0x35f8a016u, 0x6bf1402cu),
    TABLE(0xd7e28058u, 0x74b406f1u, 0xe9680de2u, 0x09a11d85u,
          0x13423b0au, 0x26847614u, 0x4d08ec28u, 0x9a11d850u),
    TABLE(0xef52b6e1u, 0x05d46b83u, 0x0ba8d706u, 0x1751ae0cu,
          0x2ea35c18u, 0x5d46b830u, 0xba8d7060u, 0xae6be681u),
    TABLE(0x87a6cb43u, 0xd43c90c7u, 0x730827cfu, 0xe6104f9eu,
          0x1751997du, 0x2ea332fau, 0x5d4665f4u, 0xba8ccbe8u),
};

/* Little-endian on every machine, at any alignment. */
static inline uint32_t word_at(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint32_t block_later(uint32_t word)
{
    return far[0][word & 0xff] ^ far[1][word >> 8 & 0xff] ^ far[2][word >> 16 & 0xff] ^
           far[3][word >> 24];
}

static inline uint32_t word_later(uint32_t word)
{
    for (unsigned i = 0; i < WORD; i++)
        word = word >> 8 ^ near[word & 0xff];
    return word;
}

/* Take whole blocks, at least one: the last one combines the braids. */
static uint32_t take_blocks(uint32_t crc, const uint8_t *at, size_t blocks)
{
    uint32_t b = 0, c = 0, d = 0, e = 0;

    for (; blocks > 1; blocks--, at += BLOCK) {
        crc = block_later(crc ^ word_at(at));
        b = block_later(b ^ word_at(at + WORD));
        c = block_later(c ^ word_at(at + 2 * WORD));
        d = block_later(d ^ word_at(at + 3 * WORD));
        e = block_later(e ^ word_at(at + 4 * WORD));
    }
    crc = word_later(crc ^ word_at(at));
    crc = word_later(crc ^ b ^ word_at(at + WORD));
    crc = word_later(crc ^ c ^ word_at(at + 2 * WORD));
    crc = word_later(crc ^ d ^ word_at(at + 3 * WORD));
    return word_later(crc ^ e ^ word_at(at + 4 * WORD));
}

uint32_t crc32_update(uint32_t crc, const void *bytes, size_t length)
{
    const uint8_t *at = bytes;

    crc = ~crc;
    if (length >= BLOCK) {
        crc = take_blocks(crc, at, length / BLOCK);
        at += length - length % BLOCK;
        length %= BLOCK;
    }
    while (length--)
        crc = crc >> 8 ^ near[(crc ^ *at++) & 0xff];
    return ~crc;
}
