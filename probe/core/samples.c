/* SPDX-License-Identifier: MIT */
/* The ring of raw samples.  Producer and consumer each write one of its two counters. */
#include "probe/core/samples.h"

/* One processor: the compiler's order is enough. */
#define BARRIER() __asm__ volatile("" : : : "memory")

void samples_put(struct samples_ring *ring, const struct sample *s, enum delay delay, uint64_t tick)
{
    const uint64_t put = ring->put;
    struct sample_record *r = &ring->record[put & (SAMPLES_RING - 1)];

    if (put - ring->taken == SAMPLES_RING) {
        ring->lost++;
        return;
    }
    r->time = s->time;
    r->pc = s->pc;
    r->tick = tick;
    r->task = s->task;
    r->mode = (uint8_t)s->mode;
    r->delay = (uint8_t)delay;
    BARRIER();
    ring->put = put + 1;
}

void samples_mark(struct samples_ring *ring, bool masked)
{
    ring->record[(ring->put - 1) & (SAMPLES_RING - 1)].masked = masked;
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
