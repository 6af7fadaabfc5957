/* SPDX-License-Identifier: MIT */
/* Makes a QR code: the text as bits, their error correction, the patterns that readers look for, the best mask. */
#include "kernel/io/qr_code.h"

#define DARK     1u
#define FIXED    2u /* a pattern's or a format's: no mask changes it */
#define MODULE(code, x, y) ((code)->module[(y) * (code)->side + (x)])

#define DATA_MAX   2956u /* bytes of data, of version 40 */
#define CHECK_MAX  30u   /* bytes of error correction of a block */
#define MODE_ALNUM 2u
#define LEVEL_L    1u
#define FORMAT_BCH 0x537u
#define FORMAT_XOR 0x5412u
#define VERSION_BCH 0x1f25u
#define FIELD_POLY 0x11du /* x^8 + x^4 + x^3 + x^2 + 1 */
#define MASKS      8u

/* Level L, by version from 1: bytes of data, and the blocks that they are in (ISO/IEC 18004, tables 7 and 9). */
static const uint16_t data_bytes[QR_VERSIONS] = {
    19, 34, 55, 80, 108, 136, 156, 194, 232, 274, 324, 370, 428, 461, 523, 589, 647, 721, 795, 861,
    932, 1006, 1094, 1174, 1276, 1370, 1468, 1531, 1631, 1735, 1843, 1955, 2071, 2191, 2306, 2434, 2566, 2702, 2812,
    DATA_MAX,
};
static const uint8_t blocks_of[QR_VERSIONS] = {
    1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
    8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
};

/* One code is made at a time. */
static struct work {
    unsigned version;
    uint8_t data[DATA_MAX];
    size_t bits; /* of `data` */
    uint8_t check[CHECK_MAX * 25]; /* the blocks', one after the other */
} work;

/* ---- the text as bits ---- */

static unsigned count_bits(unsigned version)
{
    return version < 10 ? 9 : version < 27 ? 11 : 13;
}

unsigned qr_version(size_t characters)
{
    for (unsigned version = 1; version <= QR_VERSIONS; version++)
        if (4 + count_bits(version) + characters / 2 * 11 + characters % 2 * 6 <= 8u * data_bytes[version - 1])
            return version;
    return 0;
}

static void put_bits(unsigned value, unsigned count)
{
    while (count-- != 0 && work.bits < 8u * DATA_MAX) {
        if (work.bits % 8 == 0)
            work.data[work.bits / 8] = 0;
        work.data[work.bits / 8] |= (uint8_t)((value >> count & 1) << (7 - work.bits % 8));
        work.bits++;
    }
}

/* 45: it is none of them. */
static unsigned value_of(char c)
{
    static const char others[] = " $%*+-./:";

    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'A' && c <= 'Z')
        return 10 + (unsigned)(c - 'A');
    for (unsigned i = 0; others[i] != '\0'; i++)
        if (others[i] == c)
            return 36 + i;
    return 45;
}

static bool put_text(const char *text, size_t length)
{
    work.bits = 0;
    put_bits(MODE_ALNUM, 4);
    put_bits((unsigned)length, count_bits(work.version));
    for (size_t i = 0; i < length; i += 2) {
        const unsigned first = value_of(text[i]), second = i + 1 < length ? value_of(text[i + 1]) : 0;

        if (first == 45 || second == 45)
            return false;
        put_bits(i + 1 < length ? 45 * first + second : first, i + 1 < length ? 11 : 6);
    }
    return true;
}

/* The end, up to whole bytes, and what fills the rest. */
static void put_end(void)
{
    const size_t room = 8u * data_bytes[work.version - 1];
    const size_t left = room - work.bits;

    put_bits(0, left < 4 ? (unsigned)left : 4);
    put_bits(0, (8 - work.bits % 8) % 8);
    for (unsigned fill = 0xec; work.bits < room; fill ^= 0xec ^ 0x11)
        put_bits(fill, 8);
}

/* ---- error correction: Reed and Solomon's code over bytes ---- */

static uint8_t multiply(unsigned a, unsigned b)
{
    unsigned product = 0;

    for (; b != 0; b >>= 1) {
        product ^= b & 1 ? a : 0;
        a = a << 1 ^ (a & 0x80 ? FIELD_POLY : 0);
    }
    return (uint8_t)product;
}

/* The product of (x - 2^i) for i below `count`, without its leading 1, the highest power first. */
static void make_generator(uint8_t generator[CHECK_MAX], unsigned count)
{
    uint8_t root = 1;

    for (unsigned i = 0; i < count; i++)
        generator[i] = i + 1 == count;
    for (unsigned i = 0; i < count; i++, root = multiply(root, 2))
        for (unsigned j = 0; j < count; j++)
            generator[j] = multiply(generator[j], root) ^ (j + 1 < count ? generator[j + 1] : 0);
}

static void divide(uint8_t *rest, const uint8_t *data, unsigned bytes, const uint8_t *generator, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        rest[i] = 0;
    for (unsigned i = 0; i < bytes; i++) {
        const unsigned factor = data[i] ^ rest[0];

        for (unsigned j = 0; j < count; j++)
            rest[j] = (j + 1 < count ? rest[j + 1] : 0) ^ multiply(factor, generator[j]);
    }
}

/* Blocks of equal length, the last ones of a byte more. */
struct block {
    unsigned first, bytes; /* of its data */
};

static struct block block_at(unsigned number)
{
    const unsigned all = data_bytes[work.version - 1], blocks = blocks_of[work.version - 1];
    const unsigned short_ones = blocks - all % blocks, longer = number > short_ones ? number - short_ones : 0;

    return (struct block){ number * (all / blocks) + longer, all / blocks + (number >= short_ones) };
}

static void make_checks(unsigned count)
{
    uint8_t generator[CHECK_MAX];

    make_generator(generator, count);
    for (unsigned i = 0; i < blocks_of[work.version - 1]; i++) {
        const struct block b = block_at(i);

        divide(work.check + i * count, work.data + b.first, b.bytes, generator, count);
    }
}

/* ---- patterns ---- */

static void put(struct qr_code *c, unsigned x, unsigned y, bool dark)
{
    MODULE(c, x, y) = (uint8_t)(FIXED | (dark ? DARK : 0));
}

static unsigned distance(unsigned a, unsigned b)
{
    return a > b ? a - b : b - a;
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* Squares around a module: three in a corner, with the light border; two for an alignment. */
static void put_squares(struct qr_code *c, unsigned x, unsigned y, unsigned radius)
{
    for (unsigned v = 0; v < c->side; v++)
        for (unsigned u = 0; u < c->side; u++) {
            const unsigned ring = larger(distance(u, x), distance(v, y));

            if (ring <= radius)
                put(c, u, v, radius == 4 ? ring != 2 && ring != 4 : ring != 1);
        }
}

static void put_timing(struct qr_code *c)
{
    for (unsigned i = 0; i < c->side; i++) {
        put(c, i, 6, i % 2 == 0);
        put(c, 6, i, i % 2 == 0);
    }
}

/* From 6 to 7 before the end, at even distances as near to equal as can be; the first one is the odd one. */
static unsigned alignment_at(unsigned version, unsigned number)
{
    const unsigned gaps = version / 7 + 1, last = QR_SIDE(version) - 7;
    const unsigned step = version == 32 ? 26 : (last - 6 + 2 * gaps - 1) / (2 * gaps) * 2;

    return number == 0 ? 6 : last - (gaps - number) * step;
}

static void put_alignments(struct qr_code *c, unsigned version)
{
    const unsigned gaps = version / 7 + 1;

    for (unsigned i = 0; i <= gaps && version > 1; i++)
        for (unsigned j = 0; j <= gaps; j++)
            if (!(i == 0 && (j == 0 || j == gaps)) && !(i == gaps && j == 0))
                put_squares(c, alignment_at(version, i), alignment_at(version, j), 2);
}

/* The value and, below it, what is left of it by the polynomial, whose highest bit is number `bits`. */
static unsigned with_bch(unsigned value, unsigned polynomial, unsigned bits)
{
    unsigned rest = value << bits;

    for (unsigned i = 31; i >= bits; i--)
        if (rest >> i & 1)
            rest ^= polynomial << (i - bits);
    return value << bits | rest;
}

static void put_format(struct qr_code *c, unsigned mask)
{
    const unsigned format = with_bch(LEVEL_L << 3 | mask, FORMAT_BCH, 10) ^ FORMAT_XOR;

    for (unsigned i = 0; i < 15; i++) {
        const bool dark = format >> i & 1;

        if (i < 8) {
            put(c, 8, i < 6 ? i : i + 1, dark);
            put(c, c->side - 1 - i, 8, dark);
        } else {
            put(c, i == 8 ? 7 : 14 - i, 8, dark);
            put(c, 8, c->side - 15 + i, dark);
        }
    }
    put(c, 8, c->side - 8, true);
}

static void put_version(struct qr_code *c, unsigned version)
{
    const unsigned bits = with_bch(version, VERSION_BCH, 12);

    for (unsigned i = 0; i < 18 && version >= 7; i++) {
        put(c, c->side - 11 + i % 3, i / 3, bits >> i & 1);
        put(c, i / 3, c->side - 11 + i % 3, bits >> i & 1);
    }
}

static void put_patterns(struct qr_code *c, unsigned version)
{
    for (unsigned i = 0; i < c->side * c->side; i++)
        c->module[i] = 0;
    put_timing(c);
    put_squares(c, 3, 3, 4);
    put_squares(c, c->side - 4, 3, 4);
    put_squares(c, 3, c->side - 4, 4);
    put_alignments(c, version);
    put_format(c, 0);
    put_version(c, version);
}

/* ---- the bits in their places ---- */

static unsigned count_free(const struct qr_code *c)
{
    unsigned count = 0;

    for (unsigned i = 0; i < c->side * c->side; i++)
        count += !(c->module[i] & FIXED);
    return count;
}

/* The byte of this number, as blocks take turns: first of their data, then of their error correction. */
static uint8_t interleaved(unsigned number, unsigned checks)
{
    const unsigned all = data_bytes[work.version - 1], blocks = blocks_of[work.version - 1];
    const unsigned turns = all / blocks, rest = all % blocks;

    if (number < turns * blocks)
        return work.data[block_at(number % blocks).first + number / blocks];
    if (number < all)
        return work.data[block_at(blocks - rest + number - turns * blocks).first + turns];
    number -= all;
    return work.check[number % blocks * checks + number / blocks];
}

/* Two columns at a time from the right, upwards and downwards in turn; the column of the timing is left out. */
static void put_data(struct qr_code *c, unsigned checks)
{
    const unsigned bits = 8 * (data_bytes[work.version - 1] + checks * blocks_of[work.version - 1]);
    unsigned number = 0;
    bool up = true;

    for (unsigned right = c->side - 1; right >= 1 && right < c->side; right -= right == 8 ? 3 : 2, up = !up)
        for (unsigned i = 0; i < 2 * c->side; i++) {
            const unsigned x = right - i % 2, y = up ? c->side - 1 - i / 2 : i / 2;

            if (MODULE(c, x, y) & FIXED)
                continue;
            if (number < bits)
                MODULE(c, x, y) = interleaved(number / 8, checks) >> (7 - number % 8) & 1;
            number++;
        }
}

/* ---- masks ---- */

static bool is_masked(unsigned mask, unsigned x, unsigned y)
{
    switch (mask) {
    case 0: return (x + y) % 2 == 0;
    case 1: return y % 2 == 0;
    case 2: return x % 3 == 0;
    case 3: return (x + y) % 3 == 0;
    case 4: return (x / 3 + y / 2) % 2 == 0;
    case 5: return x * y % 2 + x * y % 3 == 0;
    case 6: return (x * y % 2 + x * y % 3) % 2 == 0;
    default: return ((x + y) % 2 + x * y % 3) % 2 == 0;
    }
}

/* Put it on, or take it off. */
static void turn_mask(struct qr_code *c, unsigned mask)
{
    for (unsigned y = 0; y < c->side; y++)
        for (unsigned x = 0; x < c->side; x++)
            if (!(MODULE(c, x, y) & FIXED) && is_masked(mask, x, y))
                MODULE(c, x, y) ^= DARK;
}

static bool is_dark(const struct qr_code *c, bool down, unsigned line, unsigned at)
{
    return down ? qr_dark(c, line, at) : qr_dark(c, at, line);
}

/* Of a row, or a column: runs of one colour, and what looks like a corner's squares. */
static unsigned line_penalty(const struct qr_code *c, bool down, unsigned line)
{
    unsigned penalty = 0, run = 0, last = 0;

    for (unsigned at = 0; at < c->side; at++) {
        const bool dark = is_dark(c, down, line, at);

        run = at != 0 && dark == (last & 1) ? run + 1 : 1;
        last = (last << 1 | dark) & 0x7ff;
        penalty += run == 5 ? 3 : run > 5;
        if (at >= 10 && (last == 0x5d0 || last == 0x05d))
            penalty += 40;
    }
    return penalty;
}

static unsigned penalty_of(const struct qr_code *c)
{
    unsigned penalty = 0, dark = 0;

    for (unsigned y = 0; y < c->side; y++) {
        penalty += line_penalty(c, false, y) + line_penalty(c, true, y);
        for (unsigned x = 0; x < c->side; x++) {
            const unsigned here = qr_dark(c, x, y);

            dark += here;
            if (x != 0 && y != 0 && here == qr_dark(c, x - 1, y) && here == qr_dark(c, x, y - 1) &&
                here == qr_dark(c, x - 1, y - 1))
                penalty += 3;
        }
    }
    return penalty + 10 * (distance(20 * dark, 10 * c->side * c->side) / (c->side * c->side));
}

/* The mask of the least penalty. */
static void put_best_mask(struct qr_code *c)
{
    unsigned best = 0, least = ~0u;

    for (unsigned mask = 0; mask < MASKS; mask++) {
        turn_mask(c, mask);
        put_format(c, mask);
        if (penalty_of(c) < least) {
            least = penalty_of(c);
            best = mask;
        }
        turn_mask(c, mask);
    }
    turn_mask(c, best);
    put_format(c, best);
}

bool qr_make(struct qr_code *to, const char *text, size_t length)
{
    unsigned checks;

    work.version = length <= QR_TEXT_MAX ? qr_version(length) : 0;
    if (work.version == 0 || !put_text(text, length))
        return false;
    put_end();
    to->side = QR_SIDE(work.version);
    put_patterns(to, work.version);
    checks = (count_free(to) / 8 - data_bytes[work.version - 1]) / blocks_of[work.version - 1];
    make_checks(checks);
    put_data(to, checks);
    put_best_mask(to);
    return true;
}
