/* SPDX-License-Identifier: MIT */
/* Four indexes are decoded at a time by a table of pairs of classes, without a branch that depends on them. */
#include "probe/coding/column_unpack.h"

#include "probe/schedule/memory.h"

#define AT_ONCE 4u /* indexes */

#define LITTLE_ENDIAN_HOST (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* The most that a frame's indexes can take, and what a word that begins there may have more. */
#define BITS_ROOM (INDEX_FRAME_MAX * PACK_WIDTH_MAX / 8 + 8)

_Static_assert(AT_ONCE * PACK_WIDTH_MAX + 7 <= 64, "a word has enough bits for them");
_Static_assert(INDEX_FRAME_MAX % 8 == 0, "there is room for the pair of an odd number, and BITS_ROOM is exact");

/* What the class PACK_FULL leaves in index[]; and what PACK_AGAIN does where there is none before. */
#define IN_FULL  PACK_NO_INDEX
#define NO_INDEX (PACK_NO_INDEX - 1u)

/* ---- classes ---- */

/* By class: an index is (the one before & again) + base + (bits & mask). */
struct classes {
    uint32_t base[16], mask[16], up[16], again[16]; /* up: what moves bits after these into the upper half */
    uint8_t width[16];
};

/*
 * By byte of classes, what it says of its two indexes.  `word` is the bits from theirs on: base + (word & first) +
 * (word * up & second) + (the index before & again) is the first one, and in its upper half the second one.
 * `twice` multiplies this: where the second one is as the first one, it has this one in both halves.
 */
struct class_pairs {
    uint32_t base[256], second[256], up[256], again[256], twice[256];
    uint16_t first[256];
    uint8_t width[256]; /* of both */
};

/* Read the widths and the caller's byte; false if a width cannot be. */
static bool get_classes(struct classes *c, struct leb128_bytes *codes, uint8_t *form)
{
    uint32_t base = 0;

    if (codes->end - codes->at < (ptrdiff_t)PACK_HEAD)
        return false;
    memset(c, 0, sizeof *c);
    for (unsigned k = 0; k < PACK_CLASSES; k++) {
        const unsigned width = codes->at[k / 2] >> 4 * (k % 2) & 15;

        if (width > PACK_WIDTH_MAX)
            return false;
        c->base[k] = base;
        c->mask[k] = (1u << width) - 1;
        c->up[k] = (1u << 16) >> width;
        c->width[k] = (uint8_t)width;
        base += 1u << width;
        if (base > DICTIONARY_MAX)
            base = DICTIONARY_MAX; /* no index is there */
    }
    c->again[PACK_AGAIN] = UINT16_MAX;
    c->up[PACK_AGAIN] = c->up[PACK_FULL] = 1u << 16;
    c->base[PACK_FULL] = IN_FULL;
    *form = codes->at[PACK_HEAD - 1];
    codes->at += PACK_HEAD;
    return true;
}

/* The pairs whose second class is k. */
static inline void make_row(struct class_pairs *restrict p, const struct classes *restrict c, unsigned k)
{
    const unsigned at = 16 * k;

    for (unsigned j = 0; j < 16; j++)
        p->base[at + j] = c->base[j] + (c->base[k] << 16);
    for (unsigned j = 0; j < 16; j++)
        p->second[at + j] = c->mask[k] << 16;
    for (unsigned j = 0; j < 16; j++)
        p->up[at + j] = c->up[j];
    for (unsigned j = 0; j < 16; j++)
        p->again[at + j] = c->again[j];
    for (unsigned j = 0; j < 16; j++)
        p->twice[at + j] = 1 + ((c->again[k] & 1) << 16);
    for (unsigned j = 0; j < 16; j++)
        p->first[at + j] = (uint16_t)c->mask[j];
    for (unsigned j = 0; j < 16; j++)
        p->width[at + j] = (uint8_t)(c->width[j] + c->width[k]);
}

static void make_pairs(struct class_pairs *p, const struct classes *c)
{
    for (unsigned k = 0; k < 16; k++)
        make_row(p, c, k);
}

/* ---- indexes ---- */

/* Little-endian on every machine. */
static inline uint64_t word_at(const uint8_t *at)
{
    return at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 | (uint64_t)at[4] << 32 |
           (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* Write two indexes after those of `before`, and take their bits; returns both, the second's << 16. */
static inline uint32_t get_pair(uint16_t *to, const struct class_pairs *p, size_t code, uint64_t *bits,
                                uint32_t before)
{
    const uint32_t word = (uint32_t)*bits;
    const uint32_t both = (p->base[code] + (word & p->first[code]) + (word * p->up[code] & p->second[code]) +
                           (before >> 16 & p->again[code])) * p->twice[code];

    *bits >>= p->width[code];
    memcpy(to, &(uint32_t){LITTLE_ENDIAN_HOST ? both : both << 16 | both >> 16}, sizeof both);
    return both;
}

/* The bits from this one on. */
static inline uint64_t bits_at(const uint8_t *bits, size_t bit)
{
    return word_at(bits + bit / 8) >> bit % 8;
}

/*
 * Fill index[] from BITS_ROOM of bits, and of an odd number one more, which has class 0.  Returns the bitwise or of
 * all, and in `taken` the bits of all.
 */
static uint32_t get_pairs(const struct index_list *list, const struct class_pairs *p, const uint8_t *bits,
                          size_t *taken)
{
    size_t at = 0;
    uint32_t both = (uint32_t)NO_INDEX << 16, all = 0;
    uint16_t *to = list->index, *const end = to + list->count, *const fours = to + (list->count & ~(AT_ONCE - 1));
    const uint8_t *codes = list->each;

    for (; to != fours; to += AT_ONCE, codes += AT_ONCE / 2) {
        const size_t one = codes[0], other = codes[1];
        uint64_t word = bits_at(bits, at);

        at += (size_t)p->width[one] + p->width[other];
        all |= both = get_pair(to, p, one, &word, both);
        all |= both = get_pair(to + 2, p, other, &word, both);
    }
    for (; to < end; to += 2, codes++) {
        uint64_t word = bits_at(bits, at);

        at += p->width[*codes];
        all |= both = get_pair(to, p, *codes, &word, both);
    }
    *taken = at;
    return (all | all >> 16) & UINT16_MAX;
}

/* Take the indexes, whose classes are these; false if there are fewer, or the last byte is not filled with zeros. */
static bool get_indexes(struct index_list *list, const struct classes *c, struct leb128_bytes *codes)
{
    const size_t most = (size_t)(codes->end - codes->at), copied = most < BITS_ROOM ? most : BITS_ROOM;
    struct class_pairs pairs;
    uint8_t bits[BITS_ROOM]; /* so that a word can be read anywhere: past the end they are zeros */
    size_t taken;

    memcpy(bits, codes->at, copied);
    memset(bits + copied, 0, sizeof bits - copied);
    make_pairs(&pairs, c);
    list->all = get_pairs(list, &pairs, bits, &taken);
    if (list->count % 2 != 0)
        taken -= c->width[0];
    if ((taken + 7) / 8 > most || (taken % 8 != 0 && bits[taken / 8] >> taken % 8 != 0))
        return false;
    codes->at += (taken + 7) / 8;
    return true;
}

bool index_unpack(struct index_list *list, struct leb128_bytes *codes)
{
    const uint32_t bytes = (list->count + 1) / 2;
    struct classes classes;

    if (!get_classes(&classes, codes, &list->form) || codes->end - codes->at < (ptrdiff_t)bytes)
        return false;
    list->each = codes->at;
    codes->at += bytes;
    if (list->count % 2 != 0 && codes->at[-1] >> 4 != 0)
        return false;
    return get_indexes(list, &classes, codes);
}

/* Steps as numbers, or by the index of one that came before. */

_Static_assert(STEP_FRAME_MAX <= INDEX_FRAME_MAX && STEP_FRAME_MAX % 2 == 0,
               "a frame's steps are one list, and have room for it");

static bool get_step(struct leb128_bytes *codes, int64_t *step)
{
    uint64_t number, back;

    if (!leb128_get(codes, &number))
        return false;
    if (number != 0) {
        *step = (int64_t)(number - 1);
        return number <= STEP_END;
    }
    if (!leb128_get(codes, &back))
        return false;
    *step = -(int64_t)back;
    return back != 0 && back < STEP_END;
}

static bool get_numbers(int64_t *step, uint32_t count, struct leb128_bytes *codes)
{
    for (uint32_t i = 0; i < count; i++)
        if (!get_step(codes, &step[i]))
            return false;
    return true;
}

/* A step that comes again is as the first one with its index, which comes before it. */
static bool get_indexed(int64_t *step, uint32_t count, struct leb128_bytes *codes)
{
    uint16_t index[STEP_FRAME_MAX], first[STEP_FRAME_MAX];
    struct index_list list = {.index = index, .count = count};
    uint32_t given = 0;

    if (count == 0 || !index_unpack(&list, codes) || list.form != 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (index[i] < given) {
            step[i] = step[first[index[i]]];
            continue;
        }
        if (index[i] < DICTIONARY_MAX || !index_is_full(&list, i) || !get_step(codes, &step[i]))
            return false;
        first[given++] = (uint16_t)i;
    }
    return true;
}

bool step_list_read(int64_t *step, uint32_t count, uint8_t form, struct leb128_bytes *codes)
{
    return form == STEP_INDEXES ? get_indexed(step, count, codes)
                                : form == STEP_NUMBERS && get_numbers(step, count, codes);
}
