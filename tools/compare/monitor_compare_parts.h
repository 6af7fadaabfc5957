/* SPDX-License-Identifier: MIT */
/* What the files of the comparison of monitors share (monitor_compare.h).  Host only. */
#pragma once

#include "tools/compare/monitor_compare.h"

/* monitor_rows.c: the row of this name, found or made. */
struct compare_row *compare_row_make(struct compare_monitor *m, const char *name);

/* Add to a row; after all of them, make percent of `whole` of the times, and no modes where they are not told. */
void compare_add_time(struct compare_monitor *m, const char *name, enum mode mode, double time);
void compare_make_percent(struct compare_monitor *m, double whole);

/* monitor_kinds.c: add each monitor that the stream has; `epoch` from 1, 0: the last complete one. */
void compare_add_kinds(struct compare *c, const struct compare_stream *from, unsigned long epoch);

/*
 * monitor_cost.c: by how much the monitors slow the workload, and what each of their records takes.
 * After the last stream.
 */
void compare_measure_cost(struct compare *c);

/* monitor_cost.c: length of the window, s. */
double compare_seconds(const struct epoch *e);

/* Part of the window that the tick's handlers take, percent; NaN: not known. */
double compare_handler(const struct epoch *e);
