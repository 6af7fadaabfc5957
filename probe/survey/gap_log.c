/* SPDX-License-Identifier: MIT */
/* Gaps by length, and their period. */
#include "probe/survey/gap_log.h"

#include <stdbool.h>

#include "probe/core/order_statistics.h"
#include "probe/schedule/arithmetic.h"

#define MICRO     1000000u
#define SQUARE    8   /* digits that a length loses before it is squared */
#define TOLERANCE 20u /* a distance may be off by such a part of the period */

uint64_t gap_bucket_us(unsigned bucket)
{
    static const uint8_t digit[] = { 1, 2, 5 };
    uint64_t us = digit[bucket % 3];

    for (unsigned decade = 0; decade < bucket / 3; decade++)
        us *= 10;
    return us;
}

void gap_log_begin(struct gap_log *l, uint64_t clock_hz)
{
    *l = (struct gap_log){ .gaps = 0 };
    for (unsigned i = 1; i < GAP_BUCKETS; i++)
        l->edge[i] = divide64(gap_bucket_us(i) * clock_hz, MICRO);
}

static unsigned bucket_of(const struct gap_log *l, uint64_t length)
{
    unsigned bucket = GAP_BUCKETS - 1;

    while (length < l->edge[bucket])
        bucket--;
    return bucket;
}

/* Forget the gaps of the lowest bucket; nothing where there is only one: those that come later are dropped then. */
static void make_room(struct gap_log *l)
{
    unsigned lowest = GAP_BUCKETS - 1;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < l->kept; i++) {
        const unsigned bucket = bucket_of(l, l->gap[i].length);

        lowest = bucket < lowest ? bucket : lowest;
    }
    if (lowest == GAP_BUCKETS - 1)
        return;
    for (uint32_t i = 0; i < l->kept; i++)
        kept += l->gap[i].length >= l->edge[lowest + 1];
    if (kept == 0)
        return;
    l->least = l->edge[lowest + 1];
    kept = 0;
    for (uint32_t i = 0; i < l->kept; i++)
        if (l->gap[i].length >= l->least)
            l->gap[kept++] = l->gap[i];
    l->kept = kept;
}

static void keep(struct gap_log *l, const struct gap *g)
{
    if (g->length < l->least)
        return;
    if (l->kept == GAPS_KEPT)
        make_room(l);
    if (g->length < l->least)
        return;
    if (l->kept < GAPS_KEPT)
        l->gap[l->kept++] = *g;
    else
        l->dropped++;
}

void gap_log_add(struct gap_log *l, const struct gap *g)
{
    const unsigned bucket = bucket_of(l, g->length);
    const uint64_t units = g->length >> SQUARE;

    l->gaps++;
    l->time_all += g->length;
    l->greatest = g->length > l->greatest ? g->length : l->greatest;
    l->squares += units * units;
    l->count[bucket]++;
    l->time[bucket] += g->length;
    keep(l, g);
}

/* The median length of the bucket that takes most time, of those that are kept; 0: nothing was. */
static uint64_t usual_length(struct gap_log *l)
{
    unsigned most = bucket_of(l, l->least);
    uint32_t count = 0;

    for (unsigned i = most + 1; i < GAP_BUCKETS; i++)
        most = l->time[i] > l->time[most] ? i : most;
    for (uint32_t i = 0; i < l->kept; i++)
        if (bucket_of(l, l->gap[i].length) == most)
            l->scratch[count++] = l->gap[i].length;
    return order_statistics_of(l->scratch, count).median;
}

/* From two thirds of it to one and a half. */
static bool is_like(uint64_t length, uint64_t usual)
{
    return 3 * length >= 2 * usual && 2 * length <= 3 * usual;
}

/* The distances between gaps like the usual one, into the scratch.  Returns the number of these gaps. */
static uint32_t take_distances(struct gap_log *l, uint64_t usual)
{
    uint64_t last = 0;
    uint32_t gaps = 0;

    for (uint32_t i = 0; i < l->kept; i++) {
        if (!is_like(l->gap[i].length, usual))
            continue;
        if (gaps != 0)
            l->scratch[gaps - 1] = l->gap[i].at - last;
        last = l->gap[i].at;
        gaps++;
    }
    return gaps;
}

struct gap_period gap_log_period(struct gap_log *l)
{
    struct gap_period found = { .length = usual_length(l) };
    uint64_t middle, sum = 0, periods = 0;

    if (found.length == 0)
        return found;
    found.gaps = take_distances(l, found.length);
    if (found.gaps < GAPS_OF_PERIOD)
        return found;
    middle = order_statistics_of(l->scratch, found.gaps - 1).median;
    for (uint32_t i = 0; i + 1 < found.gaps && middle != 0; i++) {
        const uint64_t multiple = divide64(l->scratch[i] + middle / 2, middle);
        const uint64_t exact = multiple * middle;
        const uint64_t off = l->scratch[i] > exact ? l->scratch[i] - exact : exact - l->scratch[i];

        if (multiple == 0 || off > middle / TOLERANCE)
            continue;
        found.fits++;
        sum += l->scratch[i];
        periods += multiple;
    }
    if (4 * found.fits >= 3 * (found.gaps - 1) && periods != 0)
        found.period = divide64(sum, periods);
    return found;
}
