/* SPDX-License-Identifier: MIT */
/* Finds the drift of two clocks from the least delayed messages of each block. */
#include "tools/archive/clock_drift.h"

#include "probe/estimate/confidence.h"
#include "tools/trace/clock_fit.h"

#define PER_BLOCK    3 /* moments, at least */
#define BLOCKS_MOST  30
#define REFINEMENTS  3
#define Z95          1.96 /* by which clock_fit_drift_error() tells its interval */

static double delay(struct clock_moment m, double drift)
{
    return m.host - m.board / (1.0 + drift);
}

static void halve(struct clock_drift *d)
{
    for (size_t i = 0; i + 1 < d->count; i += 2)
        d->moment[i / 2] = d->moment[delay(d->moment[i + 1], 0.0) < delay(d->moment[i], 0.0) ? i + 1 : i];
    d->count /= 2;
    d->each *= 2;
}

void clock_drift_add(struct clock_drift *d, double board, double host)
{
    const struct clock_moment m = {board, host};

    if (!d->each)
        d->each = 1;
    if (!d->waiting || delay(m, 0.0) < delay(d->pending, 0.0))
        d->pending = m;
    if (++d->waiting < d->each)
        return;
    d->waiting = 0;
    d->moment[d->count++] = d->pending;
    if (d->count == DRIFT_MOMENTS)
        halve(d);
}

/* The line through the least delayed moment of each block, if the drift is as given. */
static struct clock_fit fit_blocks(const struct clock_drift *d, size_t blocks, double drift)
{
    struct clock_fit fit = {0};

    for (size_t b = 0; b < blocks; b++) {
        const size_t end = (b + 1) * d->count / blocks;
        size_t best = b * d->count / blocks;

        for (size_t i = best + 1; i < end; i++)
            if (delay(d->moment[i], drift) < delay(d->moment[best], drift))
                best = i;
        clock_fit_add(&fit, d->moment[best].board, d->moment[best].host);
    }
    return fit;
}

static size_t blocks_of(size_t count)
{
    const size_t blocks = count / PER_BLOCK;

    return blocks > BLOCKS_MOST ? BLOCKS_MOST : blocks;
}

struct drift_estimate clock_drift_estimate(const struct clock_drift *d)
{
    struct drift_estimate e = {.moments = d->count, .blocks = blocks_of(d->count), .error = -1.0};
    struct clock_fit fit;

    if (e.blocks < 2)
        return e;
    for (unsigned i = 0; i < REFINEMENTS; i++) {
        fit = fit_blocks(d, e.blocks, e.drift);
        e.drift = clock_fit_drift(&fit);
    }
    if (e.moments >= DRIFT_LEAST)
        e.error = clock_fit_drift_error(&fit) * confidence_t(LEVEL_95, e.blocks - 2) / Z95;
    return e;
}
