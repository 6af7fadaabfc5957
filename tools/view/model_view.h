/* SPDX-License-Identifier: MIT */
/* The queueing model of a run as `cpuprobe model` shows it: tables, or one JSON object. */
#pragma once

#include "tools/base/report_object.h"
#include "tools/trace/run_model.h"
#include "tools/input/timeline_input.h"

struct model_view {
    const struct timeline_input *in;
    const struct waits *waits;
    const struct run_model *model;   /* solved */
    const struct run_model *changed; /* the same of another machine, or of other tasks; NULL: not asked for */
    const char *changes;             /* what is other in it, as the user wrote it */
};

void model_view_print(const struct model_view *v, bool as_json);
extern const struct report_object model_object;
