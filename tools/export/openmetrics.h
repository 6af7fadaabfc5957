/* SPDX-License-Identifier: MIT */
/* OpenMetrics 1.0 text of one run, or of the runs of several lines in one answer.  Host. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "tools/export/export_run.h"

#define OPENMETRICS_PREFIX "cpuprobe_"

struct openmetrics_run {
    const char *line;      /* label `line`, printable; NULL: without one */
    struct export_run run; /* `epoch`, with a snapshot and named rows, and `options` are read */
};

/* The head of a family of metrics, whose name lacks the prefix; `unit` may be NULL. */
void openmetrics_family(FILE *out, const char *name, const char *type, const char *unit, const char *help);

/* All families, each with the metrics of each run. */
void openmetrics_put(FILE *out, const struct openmetrics_run *run, size_t runs);

/* What an answer ends with. */
void openmetrics_end(FILE *out);
