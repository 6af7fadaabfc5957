/* SPDX-License-Identifier: MIT */
/* Entropy by counting equal values after sorting them. */
#include "tools/samples/entropy.h"

#include <math.h>
#include <stdlib.h>

#include "probe/stream/wire.h"
#include "tools/base/alloc.h"

#define LEB128_MOST 10 /* most bytes of a 64-bit number */

void steps_add(struct steps *to, const int64_t *step, size_t count)
{
    const size_t most = count * LEB128_MOST;

    if (to->room - to->length < most) {
        to->room = 2 * to->room + most;
        to->bytes = xrealloc_array(to->bytes, to->room, 1);
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t n = wire_zigzag(step[i]);

        for (; n >= 0x80; n >>= 7)
            to->bytes[to->length++] = (uint8_t)(n | 0x80);
        to->bytes[to->length++] = (uint8_t)n;
    }
    to->count += count;
}

static int by_value(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;

    return one < other ? -1 : one > other;
}

/* Bits per value; sorts the values. */
static double entropy_of_values(int64_t *value, size_t count)
{
    double bits = 0;

    qsort(value, count, sizeof(*value), by_value);
    for (size_t i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && value[i + run] == value[i]; run++)
            ;
        bits += (double)run / (double)count * log2((double)count / (double)run);
    }
    return bits;
}

/* The codes of equal steps are equal, so the codes need not be decoded to steps. */
double entropy_of_steps(const struct steps *steps)
{
    int64_t *value = xrealloc_array(NULL, steps->count + 1, sizeof(*value));
    const uint8_t *at = steps->bytes;
    double bits;

    for (size_t i = 0; i < steps->count; i++) {
        uint64_t n = 0;

        for (unsigned shift = 0;; shift += 7) {
            n |= (uint64_t)(*at & 0x7f) << shift;
            if (!(*at++ & 0x80))
                break;
        }
        value[i] = (int64_t)n;
    }
    bits = entropy_of_values(value, steps->count);
    free(value);
    return bits;
}

static int by_kind(const void *a, const void *b)
{
    const struct entropy_kind *one = a, *other = b;

    return one->what < other->what ? -1 : one->what > other->what;
}

double entropy_of_kinds(struct entropy_kind *kind, size_t kinds, size_t all)
{
    double bits = 0;

    qsort(kind, kinds, sizeof(*kind), by_kind);
    for (size_t i = 0; i < kinds;) {
        const int64_t what = kind[i].what;
        double count = 0;

        for (; i < kinds && kind[i].what == what; i++)
            count += (double)kind[i].count;
        if (count > 0)
            bits += count / (double)all * log2((double)all / count);
    }
    return bits;
}

void entropy_tally_add(struct entropy_tally *t, uint64_t value)
{
    size_t at = index_find(&t->of, value);

    t->all++;
    if (at == INDEX_NONE && t->values == ENTROPY_VALUES) {
        t->rest++;
        return;
    }
    if (at == INDEX_NONE) {
        GROW(t->count, t->values);
        at = t->values++;
        t->count[at] = 0;
        index_put(&t->of, value, at);
    }
    t->count[at]++;
}

static double bits_of(uint64_t count, uint64_t all)
{
    return count ? (double)count / (double)all * log2((double)all / (double)count) : 0.0;
}

double entropy_tally_bits(const struct entropy_tally *t)
{
    double bits = bits_of(t->rest, t->all);

    for (size_t i = 0; i < t->values; i++)
        bits += bits_of(t->count[i], t->all);
    return bits;
}

void entropy_tally_free(struct entropy_tally *t)
{
    index_free(&t->of);
    free(t->count);
}
