/* SPDX-License-Identifier: MIT */
/*
 * A closed queueing network, solved by mean value analysis (Reiser and Lavenberg, "Mean-Value Analysis of
 * Closed Multichain Queuing Networks", J. ACM 27, 1980): classes of customers that think,
 * and visit stations in between.
 *
 *     response at a station = demand * (1 + customers whom an arrival finds there)
 *
 * An arrival finds what there is on the average with one customer of its class less (the arrival theorem).
 * At a station that shares itself out (processor sharing) this is exact, whatever the distribution of the
 * demands.  At one that serves in the order of arrival it is exact if services are exponential and
 * of one mean in all classes; otherwise each customer ahead costs its own service, the one in service its residual
 * time (Reiser, "A Queueing Network Analysis of Computer Communication Networks with Window Flow Control", IEEE
 * Trans. Comm. 27, 1979).  That holds for arrivals at any moment.  At a station that is always in use an arrival
 * meets the begin of a service, so that the residual time goes to a whole service with the use of the station, in
 * proportion: this step is ours, and keeps a station from doing more than it can.
 * Pure; times are in seconds, or in any other unit.  Host only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define QUEUEING_STATIONS 4
#define QUEUEING_CLASSES  256

enum queueing_discipline {
    QUEUEING_SHARED, /* processor sharing; what a short quantum makes of round robin */
    QUEUEING_FIFO,
};

/* What a class does at a station in each cycle. */
struct queueing_demand {
    double visits;   /* of FIFO; a shared station needs only visits * service */
    double service;  /* of one visit */
    double residual; /* of a service, as an arrival finds it: E[s^2] / 2 E[s]; equal to `service` if exponential */
};

struct queueing_class {
    unsigned population; /* customers, from 1 */
    double think;
    struct queueing_demand at[QUEUEING_STATIONS];
};

struct queueing_model {
    unsigned stations;
    enum queueing_discipline discipline[QUEUEING_STATIONS];
    size_t classes;
    const struct queueing_class *class;
};

/* Of one class. */
struct queueing_result {
    double throughput;                  /* cycles in a unit of time, of all its customers */
    double response;                    /* a cycle without the think time */
    double time[QUEUEING_STATIONS];     /* of it, at each station */
    double queue[QUEUEING_STATIONS];    /* customers there, those in service included */
};

/*
 * Solve for each class, to result[0 .. classes - 1].  Exact where the populations have few combinations
 * (sets *exact); else by Bard and Schweitzer's approximation, which needs no memory: an arrival finds the others as
 * they are with all customers there (Schweitzer 1979); at most 2000 rounds.  False if numbers are not finite, below
 * 0, or a class has no demand at all.
 */
bool queueing_solve(const struct queueing_model *m, struct queueing_result *result, bool *exact);
