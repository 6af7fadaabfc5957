/* SPDX-License-Identifier: MIT */
/*
 * The progress of a run, from its records.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/stream/frame_decoder.h"

struct progress {
    bool begun;          /* a HELLO came */
    double began;        /* wall clock of the first HELLO, s */
    uint64_t clock_hz;
    uint64_t seconds, samples_asked; /* the bounds of the run, 0: none */
    uint64_t begin, now; /* of the run, clock units; begin 0: no snapshot yet */
    uint64_t samples;
    double shown; /* wall clock of the last line, s */
};

/* Update from a record.  `wall` is a monotonic clock, s. */
void progress_add_event(struct progress *p, const struct stream_event *event, double wall);

/* Print a line on standard error if one is due; if `last`, always. */
void progress_show(struct progress *p, double wall, bool last);
