/* SPDX-License-Identifier: MIT */
/*
 * Tells how long things took, from a timeline: runs, waits, calls, interrupts, requests of devices, sections with
 * interrupts off.  One that began or ended in a gap is not told.  Host only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/base/hash_index.h"
#include "tools/timeline/timeline.h"

/* A histogram of durations: buckets by powers of two of the clock unit, or of one width. */

#define DURATION_BUCKETS 1024 /* at most; the last one also has all longer ones */

struct duration_histogram {
    uint64_t width; /* clock units; 0: bucket b has what has b binary digits, from 2^(b-1) to 2^b - 1 */
    uint64_t bucket[DURATION_BUCKETS];
    uint64_t count;
    int64_t total, least, greatest, greatest_at; /* clock units; of the first of the greatest when it began */
};

/* Begin; `width` as in the struct. */
void duration_histogram_begin(struct duration_histogram *h, uint64_t width);

/* Add one; below 0, where the account was ahead of the clock, it counts as 0 in the buckets. */
void duration_histogram_add(struct duration_histogram *h, int64_t begin, int64_t length);

/* The mean, clock units; 0 of none. */
double duration_histogram_mean(const struct duration_histogram *h);

/* Buckets [*first, *end) hold everything; both 0: there is nothing. */
void duration_histogram_range(const struct duration_histogram *h, unsigned *first, unsigned *end);

/* Where a bucket begins, clock units: from here up to where the next one begins. */
uint64_t duration_histogram_from(const struct duration_histogram *h, unsigned bucket);

enum duration_kind {
    DURATION_RUN,       /* from the switch to a task to the next switch */
    DURATION_READY,     /* ready, and not running */
    DURATION_SLEEP,     /* from going to sleep to the wake-up */
    DURATION_LATENCY,   /* from the wake-up, or the start, to running */
    DURATION_RESPONSE,  /* from the wake-up, or the start, to the next sleep, or the end */
    DURATION_SYSCALL,   /* a system call, with what came between; number of the call */
    DURATION_SERVICE,   /* the same of a supervisor service */
    DURATION_INTERRUPT, /* a handler, with those that it was interrupted by; vector */
    DURATION_TICK,      /* the tick's handler */
    DURATION_IO,        /* a request of a device; device */
    DURATION_MASKED,    /* interrupts off without a break */
    DURATION_KINDS
};

struct duration {
    enum duration_kind kind;
    uint64_t task;   /* trace_task() of whose it is: of an interrupt the running one */
    bool task_known;
    uint64_t number; /* by kind; else 0 */
    int64_t begin, length; /* clock units */
};

/* A task's unfinished durations: when they began, or DURATION_NEVER. */
struct duration_task {
    int64_t run, ready, sleep, woke, first_run, call[2];
    uint64_t number[2]; /* of the call, of the service */
};

#define DURATION_NEVER   INT64_MIN
#define DURATION_NESTED  16 /* interrupts, one inside the other */
#define DURATION_DEVICES 64 /* requests of devices under way */
#define DURATION_MOST    4  /* that one item ends */

struct durations {
    struct index task_of;
    struct duration_task *task;
    size_t tasks;
    struct duration nest[DURATION_NESTED];
    unsigned nested;
    struct duration io[DURATION_DEVICES]; /* number: the whole argument */
    unsigned ios;
    int64_t tick;
    struct duration masked; /* the unfinished one, if is_masked */
    bool is_masked;
};

void durations_begin(struct durations *d);
void durations_free(struct durations *d);

/* Take the next item; returns how many durations it ends, which are then in `ended`. */
unsigned durations_take(struct durations *d, const struct timeline_item *item, struct duration ended[DURATION_MOST]);

/* "run" and so on; DURATION_KINDS for a name that there is not. */
const char *duration_name(enum duration_kind kind);
enum duration_kind duration_named(const char *name);
const char *duration_what(enum duration_kind kind);
