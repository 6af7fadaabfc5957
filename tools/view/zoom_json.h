/* SPDX-License-Identifier: MIT */
/* Prints the zoom into a running image as JSON, schema cpuprobe-zoom-1. */
#pragma once

#include <stdbool.h>

#include "tools/base/report_object.h"
#include "tools/view/zoom_view.h"

struct zoom_told {
    const char *task; /* NULL: any */
    enum mode mode;
    unsigned seconds; /* of the image, of each window */
    enum zoom_goal goal;
    bool complete;    /* the goal was reached */
};

/* Print the steps that `v` has collected, which it no longer has afterwards.  Host. */
void zoom_json(struct zoom_view *v, const struct zoom_told *told);
extern const struct report_object zoom_object;
