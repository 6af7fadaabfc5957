/* SPDX-License-Identifier: MIT */
/*
 * A loop that only reads the clock, with interrupts off: what it does not run was taken by something that interrupts
 * cannot explain, such as SMIs or a hypervisor.  It runs in slices, so that the serial line and the system clock are
 * served between them.
 */
#pragma once

#include <stdint.h>

#include "probe/survey/gap_log.h"

struct gap_watch {
    uint64_t round;          /* the median turn of the loop, clock units */
    uint64_t threshold;      /* a turn above it has a gap: 16 median turns, a microsecond at least */
    uint64_t begin, end;     /* TSC: of the first slice, and of the last one's end */
    uint64_t watched, slices;
    uint64_t ticks;          /* turns in which ticks came as NMI */
    uint64_t disturb_at;     /* TSC: when disturb() is due, UINT64_MAX: never */
    uint64_t (*disturb)(uint64_t now); /* steals time on purpose; returns when it is due again */
    struct gap_log log;
};

/* Measure the loop, and begin with nothing.  The start, interrupts off. */
void gap_watch_begin(struct gap_watch *w, uint64_t clock_hz);

/* Run it for so many clock units.  Task context; interrupts off meanwhile. */
void gap_watch_slice(struct gap_watch *w, uint64_t clocks);
