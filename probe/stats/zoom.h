/* SPDX-License-Identifier: MIT */
/*
 * The paper's automatic zoom: from the hits of a region to a smaller one, "until an
 * address range with CPU usage in both the highest and lowest bucket is found".
 */
#ifndef PROBE_STATS_ZOOM_H
#define PROBE_STATS_ZOOM_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/region.h"

/* The slots of a region, and the addresses that it was asked for. */
struct zoom_slots {
    const uint64_t *hits; /* REGION_SLOTS */
    uint64_t base;        /* where slot 0 begins */
    uint32_t shift;
    uint64_t low, high;   /* [low, high) */
};

/*
 * The slots that stay: from the first with hits to the last, less those at either
 * end, the emptier first, as long as `least` hits stay.  False where that is no less
 * than before; else *low and *high are the addresses of these.  Any context.
 */
bool zoom_narrow(const struct zoom_slots *s, uint64_t least, uint64_t *low, uint64_t *high);

#endif
