/* SPDX-License-Identifier: MIT */
/* Classes by what the frame has, or by octaves, whichever is shorter. */
#include "probe/coding/column_pack.h"

#include "probe/schedule/arithmetic.h"
#include "probe/schedule/memory.h"

/* The octave of an index: class k of this width has the indexes 2^k - 1 to 2^(k + 1) - 2. */
static unsigned octave(uint32_t index)
{
    return 31 - leading_zeros(index + 1);
}

uint32_t index_pack_bits(uint16_t index, uint16_t before)
{
    return 4 + (index == PACK_NO_INDEX || index == before ? 0 : octave(index));
}

/* ---- classes ---- */

/* Set below[] for a frame; returns its greatest index + 1. */
static uint32_t count_indexes(struct index_classes *c, const uint16_t *index, uint32_t count)
{
    uint16_t before = PACK_NO_INDEX;
    uint32_t end = 0;

    for (uint32_t i = 0; i < count; i++)
        if (index[i] != PACK_NO_INDEX && index[i] >= end)
            end = index[i] + 1u;
    memset(c->below, 0, (end + 1) * sizeof *c->below);
    for (uint32_t i = 0; i < count; before = index[i++])
        if (index[i] != before && index[i] != PACK_NO_INDEX)
            c->below[index[i] + 1]++;
    for (uint32_t i = 0; i < end; i++)
        c->below[i + 1] = (uint16_t)(c->below[i + 1] + c->below[i]);
    return end;
}

/* The width of a class from `base` on; `left` classes remain, with this one. */
static unsigned choose_width(const struct index_classes *c, uint32_t base, uint32_t end, uint32_t left)
{
    const uint32_t begin = c->below[base], rest = c->below[end] - begin;
    unsigned width = 0;

    if (left == 1) {
        while (base + (1u << width) < end)
            width++;
        return width;
    }
    /* Up to 1.5 times an equal share of what is left: of 1, 1.5 and 2 this was the shortest on figure3. */
    while (width < PACK_WIDTH_MAX && base + (1u << width) < end &&
           2 * left * (c->below[least_of(base + (2u << width), end)] - begin) <= 3 * rest)
        width++;
    return width;
}

/* Set the widths; returns the bits that the indexes take with them. */
static uint32_t choose_widths(struct index_classes *c, uint32_t end)
{
    uint32_t base = 0, bits = 0;

    for (unsigned k = 0; k < PACK_CLASSES; k++) {
        const unsigned width = base < end ? choose_width(c, base, end, PACK_CLASSES - k) : 0;
        const uint32_t next = least_of(base + (1u << width), end);

        c->width[k] = (uint8_t)width;
        bits += width * (uint32_t)(c->below[next] - c->below[base]);
        base = next;
    }
    return bits;
}

/* The bits that they would take as octaves. */
static uint32_t octave_bits(const struct index_classes *c, uint32_t end)
{
    uint32_t bits = 0;

    for (uint32_t k = 1, base = 1; base < end; base += 1u << k++)
        bits += k * (uint32_t)(c->below[least_of(base + (1u << k), end)] - c->below[base]);
    return bits;
}

static void assign_classes(struct index_classes *c, uint32_t end)
{
    uint32_t base = 0;

    for (unsigned k = 0; k < PACK_CLASSES && base < end; k++) {
        const uint32_t next = least_of(base + (1u << c->width[k]), end);

        c->base[k] = (uint16_t)base;
        memset(c->of + base, (int)k, next - base);
        base = next;
    }
}

static void make_classes(struct index_classes *c, const uint16_t *index, uint32_t count)
{
    const uint32_t end = count_indexes(c, index, count);

    if (choose_widths(c, end) > octave_bits(c, end))
        for (unsigned k = 0; k < PACK_CLASSES; k++)
            c->width[k] = (uint8_t)k;
    assign_classes(c, end);
}

/* ---- what is written ---- */

/* Write the class of each index to `to`, and what that leaves open behind them; returns where this ends. */
static uint8_t *put_indexes(const struct index_classes *c, const uint16_t *index, uint32_t count, uint8_t *to)
{
    struct bit_writer w = {.at = to + (count + 1) / 2};
    uint16_t before = PACK_NO_INDEX;
    unsigned pair = 0;

    for (uint32_t i = 0; i < count; i++) {
        const uint16_t one = index[i];
        unsigned k = PACK_FULL;

        if (one == before && one != PACK_NO_INDEX) {
            k = PACK_AGAIN;
        } else if (one != PACK_NO_INDEX) {
            k = c->of[one];
            bit_writer_put(&w, (uint32_t)one - c->base[k], c->width[k]);
        }
        before = one;
        pair = pair >> 4 | k << 4;
        if (i % 2 != 0)
            to[i / 2] = (uint8_t)pair;
    }
    if (count % 2 != 0)
        to[count / 2] = (uint8_t)(pair >> 4);
    bit_writer_align(&w);
    return w.at;
}

uint32_t index_pack(struct index_classes *c, const uint16_t *index, uint32_t count, uint8_t *to)
{
    make_classes(c, index, count);
    for (unsigned k = 0; k < PACK_CLASSES; k += 2)
        to[k / 2] = (uint8_t)(c->width[k] | c->width[k + 1] << 4);
    to[PACK_HEAD - 1] = 0;
    return (uint32_t)(put_indexes(c, index, count, to + PACK_HEAD) - to);
}

/* Steps that come again, by a table that begins empty in each frame. */

void step_list_begin(struct step_list *s)
{
    s->count = s->given = s->bits = s->fulls = s->numbers = 0;
    memset(s->slot, 0, sizeof s->slot);
}

/* As a number: 1 + the step, or 0 and how far it goes back.  Returns the bytes. */
static uint32_t put_number(uint8_t *to, int64_t step)
{
    if (step >= 0)
        return leb128_put(to, (uint64_t)step + 1);
    *to = 0;
    return 1 + leb128_put(to + 1, -(uint64_t)step);
}

/* The bytes of that: two are usual. */
static uint32_t number_bytes(int64_t step)
{
    uint8_t number[STEP_BYTES_MOST];

    if (step >= 0 && step < (1 << 14) - 1)
        return step < (1 << 7) - 1 ? 1 : 2;
    return put_number(number, step);
}

/* Where a step is in the table, or would be.  Fibonacci hashing: Knuth, The Art of Computer Programming 3, 6.4. */
static uint16_t *find(struct step_list *s, int64_t step)
{
    uint32_t at = (uint32_t)((uint64_t)step * 0x9e3779b97f4a7c15u >> 32) / (uint32_t)((1ull << 32) / STEP_SLOTS);

    while (s->slot[at] != 0 && s->step[s->first[s->slot[at] - 1]] != step)
        at = (at + 1) % STEP_SLOTS;
    return &s->slot[at];
}

void step_list_put(struct step_list *s, int64_t step)
{
    const uint32_t at = s->count++, bytes = number_bytes(step);
    uint16_t *const slot = find(s, step);
    const uint16_t index = *slot != 0 ? (uint16_t)(*slot - 1) : PACK_NO_INDEX;

    s->step[at] = step;
    s->index[at] = index;
    s->numbers += bytes;
    s->bits += index_pack_bits(index, at == 0 ? PACK_NO_INDEX : s->index[at - 1]);
    if (index != PACK_NO_INDEX)
        return;
    s->fulls += bytes;
    if (s->given == DICTIONARY_MAX)
        return;
    s->first[s->given] = (uint16_t)at;
    *slot = (uint16_t)++s->given;
}

uint32_t step_list_most(const struct step_list *s)
{
    const uint32_t indexed = PACK_HEAD + 2 + s->bits / 8 + s->fulls;

    return indexed < s->numbers ? indexed : s->numbers;
}

/* Write those without an index, or, where all are numbers, all. */
static uint32_t put_numbers(const struct step_list *s, uint8_t *to, bool all)
{
    uint32_t put = 0;

    for (uint32_t i = 0; i < s->count; i++)
        if (all || s->index[i] == PACK_NO_INDEX)
            put += put_number(to + put, s->step[i]);
    return put;
}

uint32_t step_list_write(const struct step_list *s, struct index_classes *c, uint8_t *to, uint8_t *form)
{
    const uint32_t listed = index_pack(c, s->index, s->count, to);

    *form = listed + s->fulls < s->numbers;
    return *form ? listed + put_numbers(s, to + listed, false) : put_numbers(s, to, true);
}

/* Times as steps of a unit. */

int64_t unit_steps(int64_t difference, uint64_t unit)
{
    uint64_t size = difference < 0 ? -(uint64_t)difference : (uint64_t)difference;
    int64_t step = (int64_t)divide64(size + unit / 2, unit);

    return difference < 0 ? -step : step;
}
