/* SPDX-License-Identifier: MIT */
/* Shows the progress of a run, from its records, and of the reading of a recording. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
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

/* A line on the terminal that tells how far a long recording is read; it goes away when the report comes. */

#define READ_PROGRESS_LINE 80

struct read_progress {
    int terminal;     /* the line goes there; below 0: there is none, and nothing is shown */
    uint64_t size;    /* of the file, bytes; 0: not known, as of a pipe */
    uint64_t read;    /* of it, bytes */
    double began, due; /* monotonic_seconds(): of the begin, and of the next line */
    bool shown;
};

/* Begin to read `file`, an open descriptor at its start.  Nothing is shown in the first second.  Host. */
void read_progress_begin(struct read_progress *p, int file);

/* `bytes` more were read.  Host. */
void read_progress_add(struct read_progress *p, size_t bytes);

/* All is read, or reading was given up: the line is removed.  Host. */
void read_progress_end(struct read_progress *p);

/* The line after `seconds`: a bar, percent and the time that is left where the size is known, else what was read. */
void read_progress_print(const struct read_progress *p, double seconds, char line[READ_PROGRESS_LINE]);
