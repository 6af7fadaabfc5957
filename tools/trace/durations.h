/* SPDX-License-Identifier: MIT */
/*
 * How long things took, from a timeline: runs, waits, calls, interrupts, requests of devices,
 * sections with interrupts off.  One that began or ended in a gap is not told.  Host only.
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

/* Who keeps interrupts off: stretches without interrupts by their cause, and the longest of them. */
enum masked_cause {
    MASKED_INTERRUPT, /* an interrupt's handler, with the switch that may follow; number: vector, if events tell it */
    MASKED_SWITCH,    /* a switch of tasks without an interrupt */
    MASKED_CALL,      /* a section of a system call; number: the call, if events tell it */
    MASKED_OTHER,     /* a section of the kernel outside of calls, or of a task */
    MASKED_CAUSES
};

#define MASKED_NO_NUMBER UINT64_MAX

/* One stretch, or all of one cause and number. */
struct masked_stretch {
    enum masked_cause cause;
    uint64_t number; /* MASKED_NO_NUMBER: not known, or none */
    uint32_t task;   /* row id of the task where it began */
    bool task_known;
    enum mode mode;  /* where it began */
    int64_t begin, length;
};

struct masked_sum {
    struct masked_stretch longest; /* its cause and number are the sum's */
    uint64_t count;
    int64_t total;
};

#define MASKED_LONGEST 20  /* that are kept one by one */
#define MASKED_SUMS    256 /* causes and numbers; what has no place is in the last */

struct masked_stretches {
    struct masked_stretch now; /* the unfinished one, if `open` */
    bool open;
    struct masked_stretch longest[MASKED_LONGEST]; /* the longest first */
    size_t longests;
    struct masked_sum sum[MASKED_SUMS];
    size_t sums;
};

/*
 * Begin with all zeros.  Items of the timeline in turn; a stretch that a gap cuts is left out.  The stretch that the
 * item ends, valid until the next call, or NULL.
 */
const struct masked_stretch *masked_stretches_take(struct masked_stretches *m, const struct timeline_item *item);

/* Largest total first. */
void masked_stretches_sort(struct masked_stretches *m);

/* "interrupt 0x34", "system call 5" and so on. */
void masked_cause_name(enum masked_cause cause, uint64_t number, char text[40]);
