/* SPDX-License-Identifier: MIT */
/*
 * Prints the line of text that a monitor's record has, in the image and on the host: the load as a task at idle
 * priority and as performance counters tell it (Yevtushenko, "Measuring CPU Usage").  Host and task context:
 * floating point.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/wire.h"
#include "probe/text/text_buf.h"

/*
 * Append the line of a record of this type: of its head, or where such records have rows of a row, whose row id has
 * this name.  False, and nothing is appended, where such a record has no line.
 */
bool record_line_print(struct text_buf *b, enum wire_type type, const char *name, const void *of, uint64_t clock_hz);

/* 100 (1 - count / calibrated), with the calibrated count of as long a time; 0 where nothing is known. */
double idle_task_busy(const struct wire_idletask_row *r);

/* A part of the time in percent; 0 where there is none. */
double load_percent(uint64_t part, uint64_t time);
