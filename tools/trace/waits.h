/* SPDX-License-Identifier: MIT */
/*
 * Tells what each task did with its time, from events: it ran, was ready and did not run (and who ran then),
 * slept, was not there.  Where nothing is missing these add up to the length of the trace for each task, to the
 * clock unit.  Host only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/base/hash_index.h"
#include "tools/timeline/timeline.h"

enum wait_state {
    WAIT_RUN,     /* it has the processor, with the interrupts and ticks that it is interrupted by */
    WAIT_READY,   /* it could run, and another task runs; IDLE never is */
    WAIT_SLEEP,   /* it waits for time or an event */
    WAIT_ABSENT,  /* before its start, after its end */
    WAIT_UNKNOWN, /* after a gap, until an event tells */
    WAIT_STATES
};

#define WAIT_ROWS   256  /* rows for which "behind whom" is kept; later ones share the last */
#define WAIT_TABLE  1024 /* rows; the last of so many is that of all later ones, */
#define WAIT_OTHERS UINT32_MAX /* its id */
#define WAIT_TASKS  65536 /* known at a time: one more, and all are forgotten, as in a gap */

/* A row of the table: all tasks of one row id. */
struct wait_row {
    uint32_t id;
    uint64_t tasks;              /* that were seen */
    int64_t time[WAIT_STATES];   /* clock units */
    int64_t masked;              /* of the time it ran, with interrupts off */
    uint64_t waits, wakes;       /* times it became ready; of these, from sleep or by its start */
    uint64_t bursts;             /* times it went to sleep, or ended, after it ran; */
    double burst_square;         /* the sum of the squares of how long it ran before, clock units */
    uint64_t requests;           /* of the wakes, because a request of a device was over */
    int64_t io;                  /* of the time it slept, until that */
    double service;              /* time for which the device served these requests, clock units; */
    double service_square;       /* the sum of their squares */
    int64_t longest, longest_at; /* the longest wait, and when it began */
    size_t longest_behind;       /* the row that ran for the longest time in it */
};

struct wait_task {
    uint64_t task; /* trace_task() */
    size_t row;
    enum wait_state state;
    int64_t since;
    bool asleep, ended;    /* what it is once it is switched from */
    size_t place;          /* in ready[] */
    int64_t burst;         /* how long it has run since its wake-up */
    int64_t behind;        /* within this wait, the longest time that one row ran */
    size_t behind_row;
};

/* A request of a device. */
struct wait_request {
    uint64_t argument; /* of its events */
    int64_t begin, length; /* clock units; length: below 0 until it is over */
};

struct waits {
    struct wait_row *row;
    size_t rows;
    struct wait_task *task;
    size_t tasks;
    size_t *ready;  /* tasks that are ready, in no order */
    size_t readies;
    struct index row_of, task_of;
    int64_t *behind; /* [row that waits * WAIT_ROWS + row that ran], clock units */
    int64_t begin, end; /* of the trace */
    bool begun, gaps;
    bool forgotten; /* there were more than WAIT_TASKS */
    bool masks;     /* something told of interrupts that are off */
    size_t running; /* task; SIZE_MAX: not known */
    struct wait_request served; /* the last that a device began */
    bool over;      /* the last event was its end */
    uint64_t unowned; /* requests whose end woke no task */
    int64_t charged; /* up to when waits have been charged to who ran */
    /* Gets each stretch of a row's task in one state, at its end, clock units; NULL: nobody does. */
    void (*on_stretch)(void *context, size_t row, enum wait_state state, int64_t begin, int64_t end);
    void *context;
};

void waits_begin(struct waits *w);
void waits_free(struct waits *w);

void waits_take(struct waits *w, const struct timeline_item *item);

/* The trace is over: what goes on is counted up to its end. */
void waits_finish(struct waits *w);

/* The time that row `of` was ready while row `by` ran. */
int64_t waits_behind(const struct waits *w, size_t of, size_t by);
