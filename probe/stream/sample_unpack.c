/* SPDX-License-Identifier: MIT */
/* Four samples are decoded at a time by a table of pairs of classes, without a branch that depends on them. */
#include "probe/stream/sample_unpack.h"

#include "probe/schedule/memory.h"

#define AT_ONCE 4u /* samples */

#define LITTLE_ENDIAN_HOST (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* The most that a frame's indexes can take, and what a word that begins there may have more. */
#define BITS_ROOM (SAMPLE_FRAME_MAX * PACK_WIDTH_MAX / 8 + 8)

_Static_assert(AT_ONCE * PACK_WIDTH_MAX + 7 <= 64, "a word has enough bits for them");
_Static_assert(SAMPLE_FRAME_MAX % 8 == 0, "there is room for the pair of an odd number, and BITS_ROOM is exact");

/* In place[] until they are resolved; both are above the indexes. */
#define IN_FULL  UINT16_MAX
#define NO_PLACE (UINT16_MAX - 1u) /* before the first one */

bool sample_is_place(uint64_t task, uint64_t mode)
{
    return task <= UINT32_MAX && mode < SAMPLE_DELAY_STEP * DELAY_STOLEN + MODES;
}

bool sample_unpack_full(struct leb128_bytes *from, struct sample_location *where)
{
    uint64_t task, pc;
    uint8_t mode;

    if (from->at == from->end)
        return false;
    mode = *from->at++;
    if (!leb128_get(from, &task) || !leb128_get(from, &pc))
        return false;
    *where = (struct sample_location){
        .pc = (uint64_t)wire_unzigzag(pc), .task = (uint32_t)task, .mode = mode,
    };
    return sample_is_place(task, mode);
}

/* ---- classes ---- */

/* By class: a place is (the one before & again) + base + (bits & mask). */
struct classes {
    uint32_t base[16], mask[16], up[16], again[16]; /* up: what moves bits after these into the upper half */
    uint8_t width[16];
};

/*
 * By byte of classes, what it says of its two samples.  `word` is the bits from theirs on: base + (word & first) +
 * (word * up & second) + (the place before & again) is the first one's place, and in its upper half the second one's.
 * `twice` multiplies this: where the second one is as the first one, it has this place in both halves.
 */
struct class_pairs {
    uint32_t base[256], second[256], up[256], again[256], twice[256];
    uint16_t first[256];
    uint8_t width[256]; /* of both */
};

/* Read the widths and the form of the steps; false if one of them cannot be. */
static bool get_classes(struct classes *c, struct leb128_bytes *codes, bool *runs)
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
        if (base > SAMPLE_PLACES_MAX)
            base = SAMPLE_PLACES_MAX; /* no index is there */
    }
    c->again[PACK_AGAIN] = UINT16_MAX;
    c->up[PACK_AGAIN] = c->up[PACK_FULL] = 1u << 16;
    c->base[PACK_FULL] = IN_FULL;
    *runs = codes->at[PACK_HEAD - 1] == 1;
    codes->at += PACK_HEAD;
    return codes->at[-1] <= 1;
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

/* ---- places ---- */

/* Little-endian on every machine. */
static inline uint64_t word_at(const uint8_t *at)
{
    return at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 | (uint64_t)at[4] << 32 |
           (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* Write the places of two samples after those of `before`, and take their bits; returns both, the second's << 16. */
static inline uint32_t get_pair(uint16_t *place, const struct class_pairs *p, size_t code, uint64_t *bits,
                                uint32_t before)
{
    const uint32_t word = (uint32_t)*bits;
    const uint32_t both = (p->base[code] + (word & p->first[code]) + (word * p->up[code] & p->second[code]) +
                           (before >> 16 & p->again[code])) * p->twice[code];

    *bits >>= p->width[code];
    memcpy(place, &(uint32_t){LITTLE_ENDIAN_HOST ? both : both << 16 | both >> 16}, sizeof both);
    return both;
}

/* The bits from this one on. */
static inline uint64_t bits_at(const uint8_t *bits, size_t bit)
{
    return word_at(bits + bit / 8) >> bit % 8;
}

/*
 * Fill place[] from BITS_ROOM of bits, and of an odd number one more, which has class 0.  Returns the bitwise or of all,
 * and in `taken` the bits of all.
 */
static uint32_t get_places(struct sample_batch *b, const struct class_pairs *p, const uint8_t *codes,
                           const uint8_t *bits, size_t *taken)
{
    size_t at = 0;
    uint32_t both = (uint32_t)NO_PLACE << 16, all = 0;
    uint16_t *place = b->place, *const end = place + b->count, *const fours = place + (b->count & ~(AT_ONCE - 1));

    for (; place != fours; place += AT_ONCE, codes += AT_ONCE / 2) {
        const size_t one = codes[0], other = codes[1];
        uint64_t word = bits_at(bits, at);

        at += (size_t)p->width[one] + p->width[other];
        all |= both = get_pair(place, p, one, &word, both);
        all |= both = get_pair(place + 2, p, other, &word, both);
    }
    for (; place < end; place += 2, codes++) {
        uint64_t word = bits_at(bits, at);

        at += p->width[*codes];
        all |= both = get_pair(place, p, *codes, &word, both);
    }
    *taken = at;
    return (all | all >> 16) & UINT16_MAX;
}

/* Places that are looked at together for one that is no index. */
#define LOOK_AT 8u

_Static_assert((SAMPLE_PLACES_MAX & (SAMPLE_PLACES_MAX - 1)) == 0, "a bit of its own tells what is no index");

/* Whether these LOOK_AT places are indexes. */
static inline bool are_indexes(const uint16_t *place)
{
    const uint64_t no_index = 0x0001000100010001ull * (UINT16_MAX & ~(SAMPLE_PLACES_MAX - 1));
    uint64_t word[2];

    memcpy(word, place, sizeof word);
    return ((word[0] | word[1]) & no_index) == 0;
}

/* Read the places that stand in full; false if there is neither such a place nor an index. */
static bool get_fulls(struct sample_batch *b, const uint8_t *codes, struct leb128_bytes *fulls)
{
    for (uint32_t i = 0; i < b->count; i++) {
        while (i + LOOK_AT <= b->count && are_indexes(b->place + i))
            i += LOOK_AT;
        if (i == b->count || b->place[i] < SAMPLE_PLACES_MAX)
            continue;
        if ((codes[i / 2] >> 4 * (i % 2) & 15) != PACK_FULL || !sample_unpack_full(fulls, &b->full[b->fulls]))
            return false;
        b->place[i] = (uint16_t)(SAMPLE_PLACES_MAX + b->fulls++);
    }
    return true;
}

/* Take the indexes, whose classes are these; false if there are fewer, or the last byte is not filled with zeros. */
static bool get_indexes(struct sample_batch *b, const struct classes *c, const uint8_t *each, struct leb128_bytes *codes,
                        uint32_t *all)
{
    const size_t most = (size_t)(codes->end - codes->at), copied = most < BITS_ROOM ? most : BITS_ROOM;
    struct class_pairs pairs;
    uint8_t bits[BITS_ROOM]; /* so that a word can be read anywhere: past the end they are zeros */
    size_t taken;

    memcpy(bits, codes->at, copied);
    memset(bits + copied, 0, sizeof bits - copied);
    make_pairs(&pairs, c);
    *all = get_places(b, &pairs, each, bits, &taken);
    if (b->count % 2 != 0)
        taken -= c->width[0];
    if ((taken + 7) / 8 > most || (taken % 8 != 0 && bits[taken / 8] >> taken % 8 != 0))
        return false;
    codes->at += (taken + 7) / 8;
    return true;
}

bool sample_unpack_places(struct sample_batch *b, struct leb128_bytes codes)
{
    const uint32_t bytes = (b->count + 1) / 2;
    struct classes classes;
    const uint8_t *each;
    uint32_t all;

    if (!get_classes(&classes, &codes, &b->runs) || codes.end - codes.at < (ptrdiff_t)bytes)
        return false;
    each = codes.at;
    codes.at += bytes;
    if (b->count % 2 != 0 && codes.at[-1] >> 4 != 0)
        return false;
    return get_indexes(b, &classes, each, &codes, &all) &&
           (all < SAMPLE_PLACES_MAX || get_fulls(b, each, &codes)) && codes.at == codes.end;
}

/* ---- steps ---- */

bool sample_unpack_run(struct leb128_bytes *steps, uint32_t *length, int64_t *step)
{
    static const int64_t near[] = {[SAMPLE_STEP_NONE] = 0, [SAMPLE_STEP_UP] = 1, [SAMPLE_STEP_DOWN] = -1};
    uint64_t far;
    unsigned kind;

    if (steps->at == steps->end)
        return false;
    kind = *steps->at % 4;
    *length = *steps->at++ / 4 + 1u;
    *step = near[kind];
    if (kind == SAMPLE_STEP_NONE)
        return *length == PACK_RUN_MAX + 1;
    if (kind != SAMPLE_STEP_FAR)
        return true;
    if (!leb128_get(steps, &far))
        return false;
    *step = wire_unzigzag(far);
    return true;
}
