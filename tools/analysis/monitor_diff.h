/* SPDX-License-Identifier: MIT */
/* Declares what follows from the records of software monitors: differences between two moments, times, tables. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stats/idle_load.h"
#include "probe/stats/process_collection.h"
#include "probe/stats/tick_usage.h"
#include "tools/base/report_object.h"
#include "tools/model/stream_model.h"

/* The account log between two moments: what each task has used, and which tasks are new, gone or touched. */

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

/*
 * Load levels by the tick counters between two of their readings (Stefanov and Gradskov 2016, section 1): the
 * difference of a mode over the sum of the differences of all modes, in 1/100 s as the kernel tells them; and the
 * same difference over the time that passed.
 */
struct procstat_mode {
    uint64_t ticks, told; /* differences; told in 1/100 s */
    /* percent: by the sum of all modes, by the time that passed, by the exact table; NAN: not known */
    double level, elapsed, exact;
};

struct procstat_used {
    uint32_t id;
    int nice;
    uint64_t user, system; /* ticks */
    uint64_t told_user, told_system; /* 1/100 s */
    double level; /* percent of the ticks of all modes */
};

struct procstat_diff {
    uint64_t from, to;   /* clock units since start */
    uint64_t hz, sum, told; /* ticks a second; of all modes: ticks, 1/100 s */
    double seconds, passed; /* from `from` to `to`, and in ticks of the clock */
    struct procstat_mode mode[TICK_MODES];
    double busy, busy_elapsed, busy_exact; /* all but idle and iowait, percent, as above */
    /* points by which a level moves with one 1/100 s, by either way; NAN: nothing was told */
    double step, step_elapsed;
    /* half width of the 95 % interval of `busy`, points, where ticks are random; NAN as before */
    double random;
    uint64_t load[LOAD_AVERAGES]; /* at the reading `to`, times LOAD_ONE */
    struct procstat_used *task; /* rows with ticks, most first */
    size_t tasks;
};

/*
 * The readings of the first record at or after `from` and the last one at or before `to`, clock units since start;
 * `from` 0 is the beginning of the counters.  False: there are not two.
 * The exact shares are there where the difference is that of the last snapshot.
 */
bool procstat_diff_make(struct procstat_diff *d, const struct epoch *e, uint64_t from, uint64_t to);

void procstat_diff_free(struct procstat_diff *d);

/* Declares what follows from the records of software monitors and from the exact table of the same moment. */

/* When the window began: the first snapshot's head says it. */
uint64_t epoch_window_begin(const struct epoch *e);

/* The exact time of IDLE with interrupts on, that across HLT, at the reading of this number; false: there is none. */
bool idle_exact(const struct epoch *e, uint64_t serial, uint64_t *time);

/* The time in handlers of all vectors but those of ticks, whose time is MONITOR's. */
uint64_t intercept_handlers(const struct epoch *e);

/*
 * The interrupt column of the exact table at the same moment, masked time included; false: it is not there, or
 * covers something else, because gates were given back meanwhile or an NMI closed the table.
 */
bool intercept_exact(const struct epoch *e, uint64_t *time);

/* The tables of processes of an epoch, one reading after the other. */

/*
 * Read the epoch's table number `table`, from 0, into the collection.  False where rows of it are missing, and
 * nothing was read; `room` becomes false where it holds more than the collection can.
 */
bool process_table_collect(struct process_collection *c, const struct epoch *e, size_t table, bool *room);

/* Since the passes were counted first: what is in the last whole table; NULL: there is none, or too large a one. */
const struct wire_proctable *process_table_last(struct process_collection *c, const struct epoch *e);

/* Declares tables of processes as JSON. */

extern const struct report_object process_table_object;

/* The last one of an epoch; NULL: there is none. */
json_t *process_table_json_last(const struct epoch *e);

/* A table of processes, and the differences to the table before that were collected with it. */
struct process_collection;
json_t *process_table_json(const struct process_collection *c, const struct wire_proctable *head);
