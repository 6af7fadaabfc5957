/* SPDX-License-Identifier: MIT */
/* Four samples are decoded at a time by a table of pairs of classes, without a branch that depends on them. */
#include "probe/stream/sample_unpack.h"

#include "probe/core/memory.h"

#define AT_ONCE 4u /* samples */

#define LITTLE_ENDIAN_HOST (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

_Static_assert(AT_ONCE * PACK_WIDTH_MAX + 7 <= 64, "a word has enough bits for them");
_Static_assert(SAMPLE_FRAME_MAX % 2 == 0, "there is room for the pair of an odd number");

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

/*
 * What a byte of classes says of its two samples.  With the word of bits that begins with theirs, and the place
 * before: base + (bits & first) + (bits << up & second) + (before & again) is the first one's place, and in its
 * upper half what the second one's place is without the first.
 */
union class_pair {
    struct {
        uint32_t base, second, again; /* of the second: << 16 */
        uint16_t first;
        uint8_t up, width;            /* of both */
    };
    uint64_t words[2];
};

_Static_assert(sizeof(union class_pair) == 16, "the words are all of it");

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

/* Each pair is the sum of what its two classes say: no field overflows into another one. */
static void make_pairs(union class_pair *pair, const struct class *class)
{
    union class_pair low[16];

    for (unsigned k = 0; k < 16; k++)
        low[k] = (union class_pair){{
            .base = class[k].base, .again = class[k].again, .first = class[k].mask,
            .up = (uint8_t)(16 - class[k].width), .width = (uint8_t)class[k].width,
        }};
    for (unsigned k = 0; k < 16; k++) {
        const union class_pair high = {{
            .base = (uint32_t)class[k].base << 16, .again = (uint32_t)class[k].again << 16,
            .second = (uint32_t)class[k].mask << 16, .width = (uint8_t)class[k].width,
        }};

        for (unsigned j = 0; j < 16; j++, pair++)
            for (unsigned i = 0; i < 2; i++)
                pair->words[i] = low[j].words[i] + high.words[i];
    }
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
    if (__builtin_expect(b->next / 8 + 8 <= b->bytes, 1))
        return word_at(b->at + b->next / 8) >> b->next % 8;
    return last_bits(b);
}

/* Write the places of two samples after the place `before`, and take their bits; returns both, the second's << 16. */
static inline uint32_t get_pair(uint16_t *place, const union class_pair *pair, uint64_t *bits, uint32_t before)
{
    const uint32_t word = (uint32_t)*bits;
    uint32_t both = pair->base + (word & pair->first) + (word << pair->up & pair->second) + (before & pair->again);

    both += both << 16 & pair->again;
    *bits >>= pair->width;
    memcpy(place, &(uint32_t){LITTLE_ENDIAN_HOST ? both : both << 16 | both >> 16}, sizeof both);
    return both;
}

/* Fill place[], and of an odd number one more, which has class 0; returns the bitwise or of all. */
static uint32_t get_places(struct sample_batch *b, const union class_pair *pair, const uint8_t *codes,
                           struct bits *from)
{
    struct bits bits = *from; /* in registers */
    uint32_t both = (uint32_t)NO_PLACE << 16, all = 0;
    uint16_t *place = b->place, *const end = place + (b->count & ~(AT_ONCE - 1));

    for (; place != end; place += AT_ONCE, codes += AT_ONCE / 2) {
        const union class_pair *const p = &pair[codes[0]], *const q = &pair[codes[1]];
        uint64_t word = next_bits(&bits);

        bits.next += (unsigned)p->width + q->width;
        all |= both = get_pair(place, p, &word, both >> 16);
        all |= both = get_pair(place + 2, q, &word, both >> 16);
    }
    for (; place < b->place + b->count; place += 2, codes++) {
        uint64_t word = next_bits(&bits);

        bits.next += pair[*codes].width;
        all |= both = get_pair(place, &pair[*codes], &word, both >> 16);
    }
    *from = bits;
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
    union class_pair pair[256];
    struct bits bits;
    uint32_t all;

    if (!get_classes(class, &codes, &b->runs) || codes.end - codes.at < (ptrdiff_t)bytes)
        return false;
    each = codes.at;
    codes.at += bytes;
    if (b->count % 2 != 0 && codes.at[-1] >> 4 != 0)
        return false;
    bits = (struct bits){.at = codes.at, .bytes = (size_t)(codes.end - codes.at)};
    make_pairs(pair, class);
    all = get_places(b, pair, each, &bits);
    if (b->count % 2 != 0)
        bits.next -= class[0].width;
    if ((bits.next + 7) / 8 > bits.bytes || !is_filled(&bits))
        return false;
    codes.at += (bits.next + 7) / 8;
    return (all < SAMPLE_PLACES_MAX || get_fulls(b, each, &codes)) && codes.at == codes.end;
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
