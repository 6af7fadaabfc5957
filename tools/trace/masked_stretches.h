/* SPDX-License-Identifier: MIT */
/* Tells who keeps interrupts off: stretches without interrupts by their cause, and the longest of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/timeline/timeline.h"

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
