/* SPDX-License-Identifier: MIT */
/* The counters of a buffer of events, as the record EVENT_COUNTS (docs/PROTOCOL.md). */
#pragma once

#include <stdint.h>

#include "probe/stream/wire.h"
#include "probe/trace/event_ring.h"

struct event_counts {
    struct wire_event_counts head; /* `epoch` is the caller's */
    uint64_t count[32];            /* events by class */
};

/* Read them at `now`; times are told from `start`, both clock units.  Interrupts off. */
void event_counts_read(struct event_counts *to, const struct event_ring *ring, uint64_t now, uint64_t start);

/* Write the frame; the classes without events have no row.  Task context. */
void event_counts_write(struct wire_writer *frame, const struct event_counts *counts);
