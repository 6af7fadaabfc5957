/* SPDX-License-Identifier: MIT */
/* Four samples are decoded at a time, without a branch that depends on what they are. */
#include "probe/stream/sample_unpack.h"

#include "probe/core/memory.h"

#define AT_ONCE 4u /* samples */

_Static_assert(AT_ONCE * PACK_WIDTH_MAX + 7 <= 64, "a word has enough bits for them");

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

/* A place is (the one before & again) + base + (bits & mask). */
struct class {
    uint16_t base, mask, again, width;
};

/* Read the widths and the form of the steps; false if one of them cannot be. */
static bool get_classes(struct class *class, struct leb128_bytes *codes, bool *runs)
{
    uint32_t base = 0;

    if (codes->end - codes->at < (ptrdiff_t)PACK_HEAD)
        return false;
    for (unsigned k = 0; k < PACK_CLASSES; k++) {
        const unsigned width = codes->at[k / 2] >> 4 * (k % 2) & 15;

        if (width > PACK_WIDTH_MAX)
            return false;
        class[k] = (struct class){(uint16_t)base, (uint16_t)((1u << width) - 1), 0, (uint16_t)width};
        base += 1u << width;
        if (base > SAMPLE_PLACES_MAX)
            base = SAMPLE_PLACES_MAX; /* no index is there */
    }
    class[PACK_AGAIN] = (struct class){0, 0, UINT16_MAX, 0};
    class[PACK_FULL] = (struct class){IN_FULL, 0, 0, 0};
    *runs = codes->at[PACK_HEAD - 1] == 1;
    codes->at += PACK_HEAD;
    return codes->at[-1] <= 1;
}

/* ---- places ---- */

/* Little-endian on every machine. */
static inline uint64_t word_at(const uint8_t *at)
{
    return at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 | (uint64_t)at[4] << 32 |
           (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* The bits that follow the classes; past the end they are zeros. */
struct bits {
    const uint8_t *at;
    size_t bytes, next; /* bit */
};

static uint64_t last_bits(const struct bits *b)
{
    uint64_t word = 0;

    for (size_t i = b->next / 8; i < b->bytes && i < b->next / 8 + 8; i++)
        word |= (uint64_t)b->at[i] << 8 * (i - b->next / 8);
    return word >> b->next % 8;
}

static inline uint64_t next_bits(const struct bits *b)
{
    if (b->next / 8 + 8 <= b->bytes)
        return word_at(b->at + b->next / 8) >> b->next % 8;
    return last_bits(b);
}

static inline unsigned get_place(uint16_t *place, const struct class *class, uint64_t *bits, unsigned before)
{
    const unsigned it = (before & class->again) + class->base + ((unsigned)*bits & class->mask);

    *place = (uint16_t)it;
    *bits >>= class->width;
    return it;
}

/* Fill place[]; returns the bitwise or of all. */
static unsigned get_places(struct sample_batch *b, const struct class *class, const uint8_t *codes, struct bits *from)
{
    struct bits bits = *from; /* in registers */
    unsigned it = NO_PLACE, all = 0;
    uint16_t *place = b->place, *const end = place + (b->count & ~(AT_ONCE - 1));

    for (; place != end; place += AT_ONCE, codes += AT_ONCE / 2) {
        const struct class *c0 = &class[codes[0] & 15], *c1 = &class[codes[0] >> 4];
        const struct class *c2 = &class[codes[1] & 15], *c3 = &class[codes[1] >> 4];
        uint64_t word = next_bits(&bits);

        bits.next += (unsigned)c0->width + c1->width + c2->width + c3->width;
        all |= it = get_place(&place[0], c0, &word, it);
        all |= it = get_place(&place[1], c1, &word, it);
        all |= it = get_place(&place[2], c2, &word, it);
        all |= it = get_place(&place[3], c3, &word, it);
    }
    for (uint32_t i = 0; i < b->count % AT_ONCE; i++) {
        const struct class *c = &class[codes[i / 2] >> 4 * (i % 2) & 15];
        uint64_t word = next_bits(&bits);

        all |= it = get_place(&place[i], c, &word, it);
        bits.next += c->width;
    }
    *from = bits;
    return all;
}

/* Whether these AT_ONCE places are indexes. */
static inline bool are_indexes(const uint16_t *place)
{
    return (place[0] | place[1] | place[2] | place[3]) < (int)SAMPLE_PLACES_MAX;
}

/* Read the places that stand in full; false if there is neither such a place nor an index. */
static bool get_fulls(struct sample_batch *b, const uint8_t *codes, struct leb128_bytes *fulls)
{
    for (uint32_t i = 0; i < b->count; i++) {
        while (i + AT_ONCE <= b->count && are_indexes(b->place + i))
            i += AT_ONCE;
        if (i == b->count || b->place[i] < SAMPLE_PLACES_MAX)
            continue;
        if ((codes[i / 2] >> 4 * (i % 2) & 15) != PACK_FULL || !sample_unpack_full(fulls, &b->full[b->fulls]))
            return false;
        b->place[i] = (uint16_t)(SAMPLE_PLACES_MAX + b->fulls++);
    }
    return true;
}

/* Whether the bits that fill the last byte are zeros. */
static bool is_filled(const struct bits *b)
{
    return b->next % 8 == 0 || b->at[b->next / 8] >> b->next % 8 == 0;
}

bool sample_unpack_places(struct sample_batch *b, struct leb128_bytes codes)
{
    const uint32_t bytes = (b->count + 1) / 2;
    struct class class[16];
    const uint8_t *each;
    struct bits bits;
    unsigned all;

    if (!get_classes(class, &codes, &b->runs) || codes.end - codes.at < (ptrdiff_t)bytes)
        return false;
    each = codes.at;
    codes.at += bytes;
    if (b->count % 2 != 0 && codes.at[-1] >> 4 != 0)
        return false;
    bits = (struct bits){.at = codes.at, .bytes = (size_t)(codes.end - codes.at)};
    all = get_places(b, class, each, &bits);
    if ((bits.next + 7) / 8 > bits.bytes || !is_filled(&bits))
        return false;
    codes.at += (bits.next + 7) / 8;
    return (all < SAMPLE_PLACES_MAX || get_fulls(b, each, &codes)) && codes.at == codes.end;
}

/* ---- steps ---- */

bool sample_unpack_runs(struct leb128_bytes steps, uint64_t *value, uint32_t count, uint64_t unit)
{
    const uint64_t near[] = {[SAMPLE_STEP_NONE] = 0, [SAMPLE_STEP_UP] = unit, [SAMPLE_STEP_DOWN] = 0 - unit};
    uint32_t at = 0; /* of the sample before */

    while (steps.at != steps.end) {
        const unsigned byte = *steps.at++, step = byte % 4;
        uint64_t far;

        at += byte / 4 + 1;
        if (at >= count || (step == SAMPLE_STEP_NONE && byte / 4 != PACK_RUN_MAX))
            return false;
        value[at] += near[step];
        if (step != SAMPLE_STEP_FAR)
            continue;
        if (!leb128_get(&steps, &far))
            return false;
        value[at] += (uint64_t)wire_unzigzag(far) * unit;
    }
    return true;
}
