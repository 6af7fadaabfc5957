/* SPDX-License-Identifier: MIT */
/* The options of `cpuprobe profile`, and its output as text and as JSON. */
#pragma once

#include "tools/analysis/call_profile.h"
#include "tools/base/report_object.h"

struct profile_report {
    const struct call_profile *profile;
    const struct call_record *calls;
    const char *task, *plain; /* names of rows; the second NULL: there is none */
    double hz;                /* clock units in a second; 0: not known */
};

/* Print the report as one JSON object (docs/JSON.md) on standard output. */
void profile_json(const struct profile_report *r);
extern const struct report_object profile_object;
