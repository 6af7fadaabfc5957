/* SPDX-License-Identifier: MIT */
/* Keeps raw samples in a ring.  Producer and consumer each write one of its two counters. */
#include "probe/core/samples.h"

/* One processor: the compiler's order is enough. */
#define BARRIER() __asm__ volatile("" : : : "memory")

void samples_mark(struct samples_ring *ring, uint64_t put, bool masked)
{
    ring->record[put & (SAMPLES_RING - 1)].masked = masked;
}

bool samples_take(struct samples_ring *ring, struct sample_record *to)
{
    const uint64_t taken = ring->taken;

    if (taken == ring->put)
        return false;
    BARRIER();
    *to = ring->record[taken & (SAMPLES_RING - 1)];
    BARRIER();
    ring->taken = taken + 1;
    return true;
}
