/* SPDX-License-Identifier: MIT */
/* Prints what `cpuprobe time` found, schema cpuprobe-time-1. */
#pragma once

#include <stdbool.h>

#include "tools/base/report_object.h"
#include "tools/input/run_input.h"

struct time_report {
    const struct run_input *side; /* NULL: the paper's formula, without a file */
    const struct run_selection *request;
    const char *function;         /* NULL: all selected addresses */
    const struct tally *tally;    /* as `side` */
    double count, elapsed;        /* executions; clock units that the run took */
    const char *how;              /* how `elapsed` was found */
    bool wald;
    /* of one execution, clock units; where there is no reason against an interval */
    struct confidence clocks[LEVELS];
    double seconds;               /* of one execution; NaN: not known */
    double handler_bias;          /* table_handler_bias() in clock units of one execution; NaN: not known */
};

/* Print it.  Host. */
void time_json(const struct time_report *r);
extern const struct report_object time_object;
