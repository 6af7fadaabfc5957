/* SPDX-License-Identifier: MIT */
/* As the histogram of lateness (docs/ACCOUNTING.md) where no width is given. */
#include "tools/trace/duration_histogram.h"

#include <string.h>

#include "tools/base/saturate.h"

void duration_histogram_begin(struct duration_histogram *h, uint64_t width)
{
    memset(h, 0, sizeof(*h));
    h->width = width;
}

static unsigned bucket_of(const struct duration_histogram *h, int64_t length)
{
    uint64_t bucket;

    if (length <= 0)
        return 0;
    bucket = h->width ? (uint64_t)length / h->width : 64 - (unsigned)__builtin_clzll((uint64_t)length);
    return bucket < DURATION_BUCKETS ? (unsigned)bucket : DURATION_BUCKETS - 1;
}

void duration_histogram_add(struct duration_histogram *h, int64_t begin, int64_t length)
{
    h->bucket[bucket_of(h, length)]++;
    if (!h->count || length < h->least)
        h->least = length;
    if (!h->count || length > h->greatest) {
        h->greatest = length;
        h->greatest_at = begin;
    }
    h->count++;
    h->total = saturate_add(h->total, length);
}

double duration_histogram_mean(const struct duration_histogram *h)
{
    return h->count ? (double)h->total / (double)h->count : 0.0;
}

void duration_histogram_range(const struct duration_histogram *h, unsigned *first, unsigned *end)
{
    *first = *end = 0;
    for (unsigned b = 0; b < DURATION_BUCKETS; b++) {
        if (!h->bucket[b])
            continue;
        if (!*end)
            *first = b;
        *end = b + 1;
    }
}

uint64_t duration_histogram_from(const struct duration_histogram *h, unsigned bucket)
{
    return h->width ? h->width * bucket : bucket ? (uint64_t)1 << (bucket - 1) : 0;
}
