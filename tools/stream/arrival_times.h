/* SPDX-License-Identifier: MIT */
/*
 * Keeps the times at which the bytes of a stream arrived, in a text file beside it, FILE.times:
 *
 *   cpuprobe arrival times 1
 *   start WALL             the wall clock at the start, ns since 1970
 *   at OFFSET TIME         the first OFFSET bytes of FILE had arrived by then
 *   gap OFFSET FROM TO     the port was away in between
 *
 * Times are ns of CLOCK_MONOTONIC since the start: adjusted in rate to the time of day where the
 * host keeps that, never set.  A line is written when a frame has ended, a hundred a second at most
 * but for a HELLO, which tells the board's own clock.  A line that is damaged or goes back is
 * counted and ignored.  Host.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct arrival_writer {
    FILE *out; /* NULL: none */
    char *path;
    uint64_t start, last; /* ns of CLOCK_MONOTONIC */
};

/* ns of CLOCK_MONOTONIC. */
uint64_t arrival_now(void);

/*
 * Begin the file beside `dump`.  False, with a message, if it cannot be written,
 * or has contents and `force` is not set.
 */
bool arrival_begin(struct arrival_writer *w, const char *dump, bool force);

/* `offset` bytes have arrived; `exact`: write it whenever the last line was. */
void arrival_note(struct arrival_writer *w, uint64_t offset, bool exact);

/* The port was away from `from` to `to`, by arrival_now(). */
void arrival_gap(struct arrival_writer *w, uint64_t offset, uint64_t from, uint64_t to);

/* False, with a message, if not all could be written. */
bool arrival_end(struct arrival_writer *w);

struct arrival_reader {
    FILE *in;
    uint64_t wall;         /* of the start, ns since 1970; 0: not told */
    uint64_t offset, time; /* of the line that was read last */
    uint64_t gaps, away;   /* gaps before it, and their time, ns */
    uint64_t breaks, last; /* gaps and silences before it; the offset of the last of these */
    uint64_t wrong;        /* lines that cannot be used */
};

/* The file beside `dump`.  False if there is none, or it does not begin as one does. */
bool arrival_open(struct arrival_reader *r, const char *dump);

/* When the first `offset` bytes had arrived, ns since the start; offsets never go back.  False: it is not told. */
bool arrival_at(struct arrival_reader *r, uint64_t offset, uint64_t *time);

/* The offset behind which the port was away, or silent for DECODER_SILENCE, the next time.  False: no more. */
bool arrival_next_break(struct arrival_reader *r, uint64_t *offset);

/* Read the lines that are left. */
void arrival_finish(struct arrival_reader *r);

void arrival_close(struct arrival_reader *r);
