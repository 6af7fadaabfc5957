/* SPDX-License-Identifier: MIT */
/* Counters of events, read at one moment and written as a frame. */
#include "probe/stream/event_counts.h"

void event_counts_read(struct event_counts *to, const struct event_ring *ring, uint64_t now, uint64_t start)
{
    const uint64_t first_lost = ring->lost_time != 0 ? ring->lost_time : ring->since.time;

    to->head.time = now - start;
    to->head.recorded = ring->put;
    to->head.overwritten = event_ring_overwritten(ring);
    to->head.lost = ring->lost;
    to->head.lost_time = ring->lost == 0 ? 0 : first_lost - start;
    for (unsigned class = 0; class < TRACE_CLASSES_END; class++)
        to->count[class] = ring->count[class];
}

void event_counts_write(struct wire_writer *frame, const struct event_counts *counts)
{
    wire_begin(frame, WIRE_EVENT_COUNTS, &counts->head);
    for (unsigned class = 0; class < TRACE_CLASSES_END; class++)
        if (counts->count[class] != 0)
            wire_row(frame, WIRE_EVENT_COUNTS, &(struct wire_event_counts_row){ class, counts->count[class] });
}
