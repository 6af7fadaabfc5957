/* SPDX-License-Identifier: MIT */
/* Entropy by counting equal values. */
#include "tools/samples/entropy.h"

#include <math.h>
#include <stdlib.h>

#include "probe/stream/wire.h"
#include "tools/base/alloc.h"

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
    const bool full = t->values == ENTROPY_VALUES && index_find(&t->of, value) == INDEX_NONE;

    t->all++;
    ++*(full ? &t->rest : (uint64_t *)INDEX_ROW(&t->of, value, t->count, t->values, NULL));
}

struct step_tally *step_tally_new(void)
{
    return xcalloc(1, sizeof(struct step_tally));
}

void step_tally_add(struct step_tally *t, int64_t step)
{
    const uint64_t n = wire_zigzag(step);

    t->all++;
    if (n >= STEP_NEAR)
        entropy_tally_add(&t->far, n);
    else
        t->near[n]++;
}

static double bits_of(uint64_t count, uint64_t all)
{
    return count ? (double)count / (double)all * log2((double)all / (double)count) : 0.0;
}

static double tally_bits(const struct entropy_tally *t, uint64_t all)
{
    double bits = bits_of(t->rest, all);

    for (size_t i = 0; i < t->values; i++)
        bits += bits_of(t->count[i], all);
    return bits;
}

double entropy_tally_bits(const struct entropy_tally *t)
{
    return tally_bits(t, t->all);
}

double step_tally_bits(const struct step_tally *t)
{
    double bits = t ? tally_bits(&t->far, t->all) : 0.0;

    for (size_t i = 0; t && i < STEP_NEAR; i++)
        bits += bits_of(t->near[i], t->all);
    return bits;
}

void step_tally_free(struct step_tally *t)
{
    if (t)
        entropy_tally_free(&t->far);
    free(t);
}

void entropy_tally_free(struct entropy_tally *t)
{
    index_free(&t->of);
    free(t->count);
}
