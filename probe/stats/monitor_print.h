/* SPDX-License-Identifier: MIT */
/*
 * Computes and prints what the records of software monitors say, in the image and on the host: the load by the idle
 * counter (Thurner, Figure 5), by a task at idle priority and by performance counters (Yevtushenko, "Measuring CPU
 * Usage"), and interrupts by vector.  Host and task context: floating point.
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

/*
 * The idle counters between two readings, or since they began: all in clock units but `halts`.  CNT1 over CNT2 is the
 * idle share, and its rest the load.
 */
struct idle_load {
    uint64_t idle, clock; /* CNT1, CNT2 */
    uint64_t io; /* of `idle`, while a task waited for a device */
    uint64_t halts;
};

/* The counters from one reading, NULL for the beginning, to another. */
struct idle_load idle_between(const struct wire_idle *from, const struct wire_idle *to);

/* Percent of CNT2 that was not idle; 0 where CNT2 is 0. */
double idle_load_busy(const struct idle_load *l);

/*
 * The resolution, percent: the error if the two ends of each halt were wrong by an empty interrupt, `empty` clock
 * units, all in one direction.
 */
double idle_load_resolution(const struct idle_load *l, uint64_t empty);

/* The line of a table: busy and idle share, seconds, halts, resolution. */
void idle_load_print(struct text_buf *b, const struct idle_load *l, uint64_t clock_hz, uint64_t empty);

/*
 * The head of the table of monitor=intercept, and the line of a vector, whose name is ended: share of the window,
 * mean, greatest and latencies in us.  The frequency of the clock units is 0 where it is not known.  `text` is ended.
 */
void intercept_print_head(char text[TEXT_BUF_SIZE]);
void intercept_print(char text[TEXT_BUF_SIZE], const struct wire_intercept *head, const struct wire_intercept_row *r,
                     uint64_t clock_hz);
