/* SPDX-License-Identifier: MIT */
/*
 * Tells the exact run queue of a run, from its events: how many tasks ran, were ready or waited for a device at
 * each moment, damped over 1, 5 and 15 minutes without a break.  What a kernel tells that looks at the queue each
 * few seconds (probe/stats/tick_usage.h) estimates these averages.  A look is due at a moment and comes with the
 * next tick: what it finds is between the shortest and the longest queue of that tick.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stats/tick_usage.h"
#include "tools/timeline/timeline.h"
#include "tools/trace/waits.h"

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
