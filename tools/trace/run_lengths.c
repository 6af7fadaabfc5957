/* SPDX-License-Identifier: MIT */
/* Lengths and their histogram. */
#include "tools/trace/run_lengths.h"

static unsigned digits_of(int64_t length)
{
    unsigned digits = 0;

    for (; length > 0; length >>= 1)
        digits++;
    return digits;
}

void run_lengths_add(struct run_lengths *d, int64_t begin, int64_t length)
{
    if (!d->count || length < d->least)
        d->least = length;
    if (!d->count || length > d->greatest) {
        d->greatest = length;
        d->greatest_at = begin;
    }
    d->count++;
    d->sum += length;
    d->bucket[digits_of(length)]++;
}

double run_lengths_mean(const struct run_lengths *d)
{
    return d->count ? (double)d->sum / (double)d->count : 0.0;
}
