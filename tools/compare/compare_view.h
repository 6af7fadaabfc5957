/* SPDX-License-Identifier: MIT */
/* What `compare` shows: tables, JSON, the map of monitors. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "tools/base/report_object.h"
#include "tools/compare/monitor_compare.h"

struct compare_settings {
    double line;   /* bit/s, ten to a byte */
    double memory; /* bytes */
    unsigned rows; /* tasks that are shown */
};

/* s until so much memory is full; HUGE_VAL where nothing is recorded. */
double compare_duration(const struct compare_monitor *m, const struct compare_settings *how);

/* Percent of the line that its bytes take. */
double compare_line_percent(const struct compare_monitor *m, const struct compare_settings *how);

/* Instructions that one record takes; 0 outside of the machine, NaN: not known. */
double compare_instructions(const struct compare *c, const struct compare_monitor *m);

/* The usages of the paper's Table 1 as tasks, and how far off a monitor's answer is. */
enum compare_usage { USAGE_DEBUGGING, USAGE_LOAD, USAGE_BOTTLENECK, USAGE_MODEL, USAGES };

struct compare_answer {
    bool solved;
    double error; /* points, or s of USAGE_DEBUGGING; NaN: not known */
};

const char *compare_usage_name(enum compare_usage usage);
const char *compare_usage_task(enum compare_usage usage);
struct compare_answer compare_answer(const struct compare *c, const struct compare_monitor *m,
                                     enum compare_usage usage);

void compare_print(const struct compare *c, const struct compare_settings *how);
void compare_print_json(const struct compare *c, const struct compare_settings *how);
extern const struct report_object compare_object;

/* Thurner's Figure 1 with these monitors, for svg_output(). */
struct compare_picture {
    const struct compare *c;
    const struct compare_settings *how;
};
bool compare_draw(const void *picture, FILE *out);
