/* SPDX-License-Identifier: MIT */
/* Declares the report of `cpuprobe profile`, and its JSON. */
#pragma once

#include <jansson.h>

#include "tools/analysis/call_profile.h"
#include "tools/base/report_object.h"

struct profile_report {
    const struct call_profile *profile;
    const struct record_store *calls;
    const char *task, *plain; /* names of rows; the second NULL: there is none */
    double hz;                /* clock units in a second; 0: not known */
};

extern const struct report_object profile_object;

/* The report as one JSON object.  Host. */
json_t *profile_json(const struct profile_report *r);

/* A list with the counts of each task that has any, by addresses alone; NULL: no task has. */
json_t *profile_json_counted(const struct epoch *e);
