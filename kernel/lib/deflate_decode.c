/* SPDX-License-Identifier: MIT */
/*
 * Deflate, unpacked: RFC 1951, "DEFLATE Compressed Data Format Specification version 1.3".  Codes are read bit by bit: the
 * image unpacks 130 KiB once, and small tables would cost more than they save.  What zlib refuses is refused, too.
 */
#include "kernel/lib/deflate_decode.h"

#include <stdbool.h>

#include "probe/schedule/memory.h"

#define LONGEST      15 /* bits of a code */
#define LITERALS     256
#define BLOCK_END    256
#define LENGTHS      286 /* codes of literals, of the end of a block and of lengths; fixed blocks number two more */
#define DISTANCES    30
#define FIXED_CODES  (LENGTHS + 2)
#define LENGTH_CODES 19  /* codes of the lengths of codes */
#define WHOLE_MATCH  28  /* the last code of a length: 258, without more bits */

struct stream {
    const uint8_t *at, *end;
    uint8_t *begin, *to, *full;
    uint32_t held, bits; /* bits that were read and not used, the next one lowest, and how many */
    bool damaged;        /* then all that is read is 0 */
};

/* Canonical (3.2.2): codes of one length are numbers in a row, and longer ones begin behind them. */
struct code {
    uint16_t past[LONGEST + 1]; /* by length: the number behind its last code */
    int16_t first[LONGEST + 1]; /* by length: where in `symbol` a code of the number 0 were */
    uint16_t symbol[FIXED_CODES];
};

static uint32_t damage(struct stream *s)
{
    s->damaged = true;
    return 0;
}

/* The next n bits, at most 13, as a number whose lowest bit comes first. */
static uint32_t take(struct stream *s, unsigned n)
{
    uint32_t number;

    while (s->bits < n) {
        if (s->damaged || s->at == s->end)
            return damage(s);
        s->held |= (uint32_t)*s->at++ << s->bits;
        s->bits += 8;
    }
    number = s->held & ((1u << n) - 1);
    s->held >>= n;
    s->bits -= n;
    return number;
}

/* A code's bits come highest first. */
static uint32_t take_symbol(struct stream *s, const struct code *c)
{
    uint32_t number = 0;

    for (unsigned length = 1; length <= LONGEST && !s->damaged; length++) {
        number = number << 1 | take(s, 1);
        if (number < c->past[length])
            return s->damaged ? 0 : c->symbol[(int32_t)number + c->first[length]];
    }
    return damage(s);
}

/*
 * Of `count` symbols by the lengths of their codes, 0 for those without.  False where there are more codes than numbers;
 * also where there are fewer, unless none is longer than `sparse` bits.
 */
static bool make_code(struct code *c, const uint8_t *lengths, unsigned count, unsigned sparse)
{
    uint16_t of_length[LONGEST + 1] = { 0 }, next[LONGEST + 1];
    uint32_t number = 0, index = 0;
    unsigned longest = 0;

    for (unsigned i = 0; i < count; i++)
        of_length[lengths[i]]++;
    for (unsigned length = 1; length <= LONGEST; length++) {
        number <<= 1;
        next[length] = (uint16_t)index;
        c->first[length] = (int16_t)((int32_t)index - (int32_t)number);
        number += of_length[length];
        index += of_length[length];
        if (number > 1u << length)
            return false;
        c->past[length] = (uint16_t)(of_length[length] != 0 ? number : 0);
        longest = of_length[length] != 0 ? length : longest;
    }
    for (unsigned i = 0; i < count; i++)
        if (lengths[i] != 0)
            c->symbol[next[lengths[i]]++] = (uint16_t)i;
    return number == 1u << LONGEST || longest <= sparse;
}

/* What a code of a length or of a distance begins at, over its least: pairs of codes, or fours, have a bit more each (3.2.5). */
static uint32_t take_number(struct stream *s, uint32_t code, unsigned log2)
{
    const uint32_t row = code >> log2, part = code & ((1u << log2) - 1);

    return row == 0 ? code : ((part + (1u << log2)) << (row - 1)) + take(s, row - 1);
}

static void put_literal(struct stream *s, uint32_t literal)
{
    if (s->to == s->full)
        damage(s);
    else
        *s->to++ = (uint8_t)literal;
}

/* What stood `distance` bytes before: it may overlap what it makes. */
static void put_match(struct stream *s, uint32_t length, uint32_t distance)
{
    if (s->damaged || distance > (size_t)(s->to - s->begin) || length > (size_t)(s->full - s->to)) {
        damage(s);
        return;
    }
    for (; length > 0; length--, s->to++)
        *s->to = s->to[-(ptrdiff_t)distance];
}

static void take_match(struct stream *s, uint32_t code, const struct code *distances)
{
    const uint32_t length = 3 + (code == WHOLE_MATCH ? 255 : take_number(s, code, 2)), far = take_symbol(s, distances);

    if (code > WHOLE_MATCH || far >= DISTANCES)
        damage(s);
    else
        put_match(s, length, 1 + take_number(s, far, 1));
}

static void take_packed(struct stream *s, const struct code *literals, const struct code *distances)
{
    while (!s->damaged) {
        const uint32_t symbol = take_symbol(s, literals);

        if (s->damaged || symbol == BLOCK_END)
            return;
        if (symbol < LITERALS)
            put_literal(s, symbol);
        else
            take_match(s, symbol - BLOCK_END - 1, distances);
    }
}

/* Bytes as they are, from the next byte on (3.2.4). */
static void take_stored(struct stream *s)
{
    uint32_t length;

    s->held = s->bits = 0; /* fewer than eight */
    length = take(s, 8);
    length |= take(s, 8) << 8;
    if ((take(s, 8) | take(s, 8) << 8) != (length ^ 0xffff))
        damage(s);
    if (s->damaged || length > (size_t)(s->end - s->at) || length > (size_t)(s->full - s->to)) {
        damage(s);
        return;
    }
    memcpy(s->to, s->at, length);
    s->at += length;
    s->to += length;
}

static void take_fixed(struct stream *s, struct code *literals, struct code *distances)
{
    uint8_t lengths[FIXED_CODES];

    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    make_code(literals, lengths, FIXED_CODES, 0);
    memset(lengths, 5, DISTANCES + 2);
    make_code(distances, lengths, DISTANCES + 2, 0);
    take_packed(s, literals, distances);
}

/* The lengths of `count` codes, packed themselves (3.2.7). */
static void take_lengths(struct stream *s, const struct code *c, uint8_t *lengths, unsigned count)
{
    for (unsigned i = 0; i < count && !s->damaged;) {
        const uint32_t symbol = take_symbol(s, c);
        uint32_t times = 1;
        uint8_t length = (uint8_t)symbol;

        if (symbol > LONGEST) {
            length = symbol == 16 && i > 0 ? lengths[i - 1] : 0;
            times = symbol == 16 ? 3 + take(s, 2) : symbol == 17 ? 3 + take(s, 3) : 11 + take(s, 7);
        }
        if (times > count - i || (symbol == 16 && i == 0)) {
            damage(s);
            return;
        }
        memset(lengths + i, length, times);
        i += times;
    }
}

static void take_dynamic(struct stream *s, struct code *literals, struct code *distances)
{
    static const uint8_t order[LENGTH_CODES] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
    uint8_t lengths[LENGTHS + DISTANCES] = { 0 };
    const unsigned near = 257 + take(s, 5), far = 1 + take(s, 5), given = 4 + take(s, 4);

    if (near > LENGTHS || far > DISTANCES) {
        damage(s);
        return;
    }
    for (unsigned i = 0; i < given; i++)
        lengths[order[i]] = (uint8_t)take(s, 3);
    if (!make_code(literals, lengths, LENGTH_CODES, 0))
        damage(s);
    take_lengths(s, literals, lengths, near + far);
    if (s->damaged || lengths[BLOCK_END] == 0 || !make_code(literals, lengths, near, 1) ||
        !make_code(distances, lengths + near, far, 1)) {
        damage(s);
        return;
    }
    take_packed(s, literals, distances);
}

size_t deflate_decode(const void *from, size_t bytes, void *to, size_t size)
{
    const uint8_t *const begin = from;
    struct stream s = { .at = begin, .end = begin + bytes, .begin = to, .to = to, .full = (uint8_t *)to + size };
    struct code literals, distances;
    bool last = false;

    while (!last && !s.damaged) {
        last = take(&s, 1) != 0;
        switch (take(&s, 2)) {
        case 0:
            take_stored(&s);
            break;
        case 1:
            take_fixed(&s, &literals, &distances);
            break;
        case 2:
            take_dynamic(&s, &literals, &distances);
            break;
        default:
            damage(&s);
        }
    }
    return s.damaged || s.to != s.full ? 0 : (size_t)(s.at - begin);
}
