/* SPDX-License-Identifier: MIT */
/* Puts events that became known late into the order of their times. */
#pragma once

#include <stdint.h>

#include "probe/trace/event_ring.h"

/*
 * The last `records` of the ring, in the order of their times among themselves, belong between
 * earlier ones: move them there, past no record that was taken.  `room` is for as many records.  The
 * time is that of the records that they pass.  Interrupts off.
 */
void event_ring_merge_last(struct event_ring *r, uint64_t records, struct event_record *room);
