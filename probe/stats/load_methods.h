/* SPDX-License-Identifier: MIT */
/*
 * The load as a task at idle priority and as performance counters tell it (Yevtushenko, "Measuring CPU
 * Usage").  Host and task context: floating point.
 */
#pragma once

#include <stdint.h>

#include "probe/text/text_buf.h"

/* The count of a task at idle priority: `clock` clock units long; alone it counts to `calibrated` in `took`. */
struct idle_task_load {
    uint64_t clock, count, calibrated, took;
};

/* 100 (1 - count / calibrated), with the calibrated count of as long a time; 0 where nothing is known. */
double idle_task_busy(const struct idle_task_load *l);

/* The line of a table. */
void idle_task_print(struct text_buf *b, const char *name, const struct idle_task_load *l, uint64_t clock_hz);

/* Differences of performance counters, clock units. */
struct perf_load {
    uint64_t time, idle, busy, interrupt;
};

/* Percent of the time; 0 where there is none. */
double perf_load_percent(uint64_t part, const struct perf_load *l);

/* The line of a table, as the paper's loop prints it. */
void perf_load_print(struct text_buf *b, const struct perf_load *l, uint64_t clock_hz);
