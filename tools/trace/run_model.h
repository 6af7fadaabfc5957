/* SPDX-License-Identifier: MIT */
/*
 * Makes the queueing model of a run: the tasks that it had are customers who think, compute and wait for the disk.
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
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/analysis/queueing_model.h"
#include "tools/trace/waits.h"

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
