/* SPDX-License-Identifier: MIT */
/* Steps that come again, by a table that begins empty in each frame. */
#include "probe/coding/step_pack.h"

#include "probe/schedule/memory.h"

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
