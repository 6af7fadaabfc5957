/* SPDX-License-Identifier: MIT */
/*
 * Finds one number of a run by its name: the share of a task, of a mode, of a row of the table, or what was late,
 * missed or lost; in percent.  The axes of pictures that compare runs.  Host only.
 */
#pragma once

#include <stdbool.h>

#include "tools/model/stream_model.h"

/* 0 to 100; low and high are the limits of 95 %.  NaN: not known. */
struct run_quantity {
    double percent, low, high;
};

enum quantity_found {
    QUANTITY_FOUND,
    QUANTITY_NO_ROW,  /* a task that has no row in this run; the value is 0 */
    QUANTITY_UNKNOWN, /* nothing has this name */
};

/*
 * The quantity `name` of an epoch that has a snapshot, whose rows are named: "user", "supervisor",
 * "kernel", "interrupt" (the mode over all rows), "busy" (100 less IDLE), "late" (of the samples),
 * "missed" (of the ticks that were due), "lost" (of the samples), "monitor" (of the window), else
 * the name of a row, as it stands or in capitals, with ":MODE" of that mode alone.  `exact`: from
 * the exact table, which has no limits.
 */
enum quantity_found run_quantity(const struct epoch *e, const char *name, bool exact, struct run_quantity *to);
