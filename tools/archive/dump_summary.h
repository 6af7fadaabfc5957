/* SPDX-License-Identifier: MIT */
/*
 * One recording of an archive in short.  A recording may be large: its head and its tail are read,
 * which have the words, the last table and the end of the run; a damaged stretch between them is not
 * seen.  Host.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/config/config.h"
#include "probe/stream/wire.h"

/*
 * How much faster a board's clock runs than the host's, from the times that the board sent and the
 * times at which they arrived.
 *
 * A message is never early and often late, by queues on the way, by a host that was busy.  So only
 * the least delayed messages tell of the clocks: the run is cut into 10 to 30 blocks, in each the
 * message with the least delay is taken, and a line is fitted through these by least squares.  What
 * is least depends on the line, so this is done three times.  The interval is Student's, from how
 * far the blocks are off the line: least delays of equal blocks are alike and, but for a delay that
 * grows or shrinks over the whole run, independent.  A delay that changes so cannot be told from
 * drift.
 */

#define DRIFT_MOMENTS 4096 /* that are kept; of more, the less delayed of two neighbours */
#define DRIFT_LEAST   30   /* fewer moments tell no interval */

struct clock_moment {
    double board, host; /* s, each by its own clock */
};

struct clock_drift {
    struct clock_moment moment[DRIFT_MOMENTS], pending; /* `pending`: the best of the neighbours so far */
    size_t count;
    unsigned each, waiting; /* of how many neighbours one is kept; how many of them came */
};

struct drift_estimate {
    size_t moments, blocks; /* that were used */
    double drift;           /* board over host less 1, parts of one */
    double error;           /* half of the 95 % interval; below 0: too few moments */
};

/* All zeros at first.  A message that was sent at `board` and arrived at `host`; both grow. */
void clock_drift_add(struct clock_drift *d, double board, double host);

struct drift_estimate clock_drift_estimate(const struct clock_drift *d);

/*
 * What the times of arrival beside a recording tell: when it was, gaps, the board's clock against the host's.
 */
struct arrival_summary {
    uint64_t wall;       /* the start, ns since 1970; 0: not told */
    double seconds;      /* to the last byte */
    uint64_t gaps;       /* how often the port was away */
    double away;         /* in all, s */
    uint64_t wrong;      /* lines that could not be used */
    unsigned boots;      /* of the board */
    struct drift_estimate drift; /* of the boot with the most HELLOs */
};

/* Read the recording at `path` and the file beside it.  False: there is none, or the recording cannot be read. */
bool arrival_summarize(const char *path, struct arrival_summary *s);

/* A time, s since 1970, as a date of ISO 8601 in UTC, to the second; it may be before 1970. */
void arrival_date(double seconds, char text[32]);

#define SUMMARY_HEAD (64u << 10)  /* bytes that are read of the head, and of the tail */
/* more than a snapshot and what comes with it each second at 115200 bits a second */
#define SUMMARY_TAIL (256u << 10)

struct dump_summary {
    char *name;            /* of the file in its folder, as it is */
    uint64_t bytes;
    double date;           /* s since 1970, or before it; 0: not known */
    /* the date is when it began to arrive, from FILE.times; else of the last change of the file */
    bool arrived;
    const char *unread;    /* why it could not be read; NULL: it could */
    bool whole;            /* all of it was read */
    uint64_t frames;       /* intact, in what was read */
    uint64_t damaged, missing; /* stretches and frames */
    uint64_t unsure;           /* places where more frames are missing than the sequence tells */
    uint64_t unknown;          /* frames of types that this version does not know */
    bool has_hello, has_snapshot, ended;
    uint64_t status;       /* of END */
    struct config words;   /* of the last HELLO; defaults where there is none or they are not understood */
    bool words_known;
    char build[41], version[16];
    uint64_t clock_hz;
    struct wire_snapshot snapshot; /* the last one */
};

/* Read the file of this name in the open folder.  Never waits for a pipe; what is no file is told in `unread`. */
void dump_summary_read(struct dump_summary *s, int folder, const char *name);
void dump_summary_free(struct dump_summary *s);

/* Length of its window, s; 0: not known. */
double dump_summary_seconds(const struct dump_summary *s);

/* Samples that were taken and not kept, and ticks that the device lost. */
uint64_t dump_summary_losses(const struct dump_summary *s);

/* "complete", or what is wrong with it, at most `size` bytes. */
void dump_summary_state(const struct dump_summary *s, char *text, size_t size);

/* The words that have other values than their defaults, without those that say nothing of what was measured. */
void dump_summary_words(const struct dump_summary *s, char line[CONFIG_LINE]);
