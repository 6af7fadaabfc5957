/* SPDX-License-Identifier: MIT */
/* Compares the account log between two moments: what each task has used, and which tasks are new, gone or touched. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/model/stream_model.h"

/* A task and what it used between the moments; counters are differences, but `response_greatest`. */
struct acct_task {
    struct wire_acct_row used;
    bool is_new;  /* it is not in the log at the first moment */
    bool gone;    /* it has ended by the second */
    bool touched; /* it used time or made a call */
};

struct acct_diff {
    uint64_t from, to; /* clock units since start: the moments of the log that were taken */
    struct acct_task *task; /* in the order of their numbers */
    size_t tasks;
    /* differences, by event; of those that did not come `times` is 0 */
    struct wire_ranges_row range[WIRE_RANGE_MAX + 1];
    uint64_t ranged; /* clock units between the readings of these */
};

/*
 * Between the last moments of the log at or before `from` and `to`, clock units since start; where the log
 * has none so early, `from` is the begin of the window, at which no task had used anything.  False: none at `to`.
 */
bool acct_diff_make(struct acct_diff *d, const struct epoch *e, uint64_t from, uint64_t to);
void acct_diff_free(struct acct_diff *d);

/* What all tasks have used between two moments of the log that follow each other; clock units. */
struct acct_stretch {
    uint64_t from, to;
    uint64_t idle, all; /* time of row IDLE, and of all tasks */
};

/* Call `each` for each two such moments, as acct_diff_make() takes them, in the order of time. */
void acct_each_stretch(const struct epoch *e, void each(void *context, const struct acct_stretch *l), void *context);

/* The time of a task in all modes. */
uint64_t acct_time(const struct wire_acct_row *r);
