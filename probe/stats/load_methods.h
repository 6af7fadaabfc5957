/* SPDX-License-Identifier: MIT */
/*
 * The load as a task at idle priority and as performance counters tell it (Yevtushenko, "Measuring CPU
 * Usage").  Host and task context: floating point.
 */
#pragma once

#include <stdint.h>

#include "probe/stream/wire.h"
#include "probe/text/text_buf.h"

/* 100 (1 - count / calibrated), with the calibrated count of as long a time; 0 where nothing is known. */
double idle_task_busy(const struct wire_idletask_row *r);

/* The line of a table. */
void idle_task_print(struct text_buf *b, const char *name, const struct wire_idletask_row *r, uint64_t clock_hz);

/* Percent of the time; 0 where there is none. */
double perf_load_percent(uint64_t part, const struct wire_perfcall *p);

/* The line of a table, as the paper's loop prints it. */
void perf_load_print(struct text_buf *b, const struct wire_perfcall *p, uint64_t clock_hz);
