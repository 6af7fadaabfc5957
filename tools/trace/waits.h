/* SPDX-License-Identifier: MIT */
/*
 * What each task did with its time, from events: it ran, was ready and did not run (and who ran
 * then), slept, was not there.  Where nothing is missing these add up to the length of the trace for
 * each task, to the clock unit.  Host only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stats/tick_usage.h"
#include "tools/analysis/queueing_model.h"
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
};

void waits_begin(struct waits *w);
void waits_free(struct waits *w);

void waits_take(struct waits *w, const struct timeline_item *item);

/* The trace is over: what goes on is counted up to its end. */
void waits_finish(struct waits *w);

/* The time that row `of` was ready while row `by` ran. */
int64_t waits_behind(const struct waits *w, size_t of, size_t by);

/*
 * The exact run queue of a run, from its events: how many tasks ran, were ready or waited for a device at each
 * moment, damped over 1, 5 and 15 minutes without a break.  What a kernel tells that looks at the queue each few
 * seconds (probe/stats/tick_usage.h) estimates these averages.  A look is due at a moment and comes with the next
 * tick: what it finds is between the shortest and the longest queue of that tick.
 */

/* The averages at a moment. */
struct run_queue_look {
    int64_t time; /* clock units since start */
    double average[LOAD_AVERAGES];
    double least, most; /* tasks in the queue within the tick from `time` on */
};

struct run_queue {
    struct waits waits;
    double hz;      /* clock units in a second */
    int64_t begin, now, tick; /* clock units */
    double average[LOAD_AVERAGES];
    /* of the run; integrals of the tasks ready or running, of their square, and of those blocked */
    double seconds, area, square, blocked;
    struct run_queue_look *look; /* in the order of their times */
    size_t looks, passed;
    bool any, gaps; /* an event came; some are missing */
};

#define RUN_QUEUE_LOOKS (1u << 17) /* at most: a week of them */

/*
 * The averages are 0 at `begin`, clock units.  A kernel with `ticks` a second looks each LOAD_LOOK_S seconds and a
 * tick since then, and the queue is told at these moments up to `end`.  `hz`: clock units in a second; both above 0.
 * False: these are more than RUN_QUEUE_LOOKS, and there is nothing to free.
 */
bool run_queue_begin(struct run_queue *q, double hz, uint64_t ticks, int64_t begin, int64_t end);
void run_queue_free(struct run_queue *q);

/* The next item of the run.  A request of a device is known by its end, and is put into the past then. */
void run_queue_take(struct run_queue *q, const struct timeline_item *item);

/* The last event that is asked for was taken: go on to the moment `end`. */
void run_queue_finish(struct run_queue *q, int64_t end);

/* Tasks in the queue, on the average of the run; 0 where there was none. */
double run_queue_mean(const struct run_queue *q);

/*
 * Average number `i` as that kernel computes it of what it finds: the shortest queue of each tick in which it looks,
 * or the longest.  Times LOAD_ONE.
 */
uint64_t run_queue_looked(const struct run_queue *q, unsigned i, bool most);

/*
 * By how much (one standard deviation) the average number `i` of all looks is off, if these come at random moments.
 * Tasks that wait for a device are taken for independent of each other.
 */
double run_queue_noise(const struct run_queue *q, unsigned i);

/*
 * The queueing model of a run: the tasks that it had are customers who think, compute and wait for the disk.
 * Demands and think times are measured (tools/trace/waits.h), response times and throughputs follow from
 * them (tools/analysis/queueing_model.h), and stand beside those that were measured.  Host only.
 *
 * A cycle begins when a task begins to be active, that is with the end of a sleep or with its start, and ends with
 * the next; what sleeps for anything but a device thinks.  A task that never does has a cycle for each request of the
 * device, else one for each time that it gets the processor.
 *
 * The disk serves in the order of requests.  The scheduler is round robin: it shares the processor where tasks lose
 * it more often than they go to sleep, else most bursts are shorter than its quantum, and it serves in the order of
 * arrivals too.
 */
enum run_station { STATION_CPU, STATION_DISK, RUN_STATIONS };

enum run_cycle { CYCLE_THINK, CYCLE_REQUEST, CYCLE_RUN };

/* All tasks of a row. */
struct run_customer {
    uint32_t id;
    enum run_cycle cycle;
    double cycles; /* that were measured; 0 < */
    struct queueing_result measured, predicted;
};

/* Times in seconds. */
struct run_model {
    double span;                   /* of the run that was measured */
    size_t customers;
    struct run_customer *customer; /* the greatest share of the processor first */
    struct queueing_class *class;  /* of each customer, as measured */
    struct queueing_model model;   /* of these classes */
    size_t others;                 /* rows that have no place among QUEUEING_CLASSES */
    bool exact;
};

/* `hz`: clock units in a second.  False: no task did anything. */
bool run_model_make(struct run_model *m, const struct waits *w, double hz);
void run_model_free(struct run_model *m);

/* Solve, after changes to class[] too, into `predicted` of each customer.  False as queueing_solve(). */
bool run_model_solve(struct run_model *m);

/* Of a station: the share of the time in which it works, and the customers there, both in all. */
double run_model_use(const struct run_model *m, enum run_station s, bool predicted);
double run_model_queue(const struct run_model *m, enum run_station s, bool predicted);

/* "cpu", "disk"; "think", "request", "run". */
const char *run_station_name(enum run_station s);
const char *run_cycle_name(enum run_cycle c);
