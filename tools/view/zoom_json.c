/* SPDX-License-Identifier: MIT */
/* Prints steps, each of a window of its own, with its own number of samples. */
#include "tools/view/zoom_json.h"

#include "tools/base/json_value.h"
#include "tools/view/histogram_json.h"

static const char *const modes[] = {"user", "supervisor", "kernel", "interrupt", NULL};
static const char *const until[] = {[ZOOM_TO_SHARE] = "share", [ZOOM_TO_FUNCTION] = "function",
                                    [ZOOM_TO_INSTRUCTION] = "instruction", NULL};

#define ZOOM_MEMBERS(M, O)                                                          \
    M(TEXT, task, "name of the task; null: any")                                    \
    O(WORD, mode, modes, "mode in which samples were counted")                      \
    M(COUNT, seconds, "length of each window that was asked for, s of the image")   \
    O(WORD, until, until, "where the zoom was to end")                              \
    M(FLAG, complete, "it got there; false: steps are those before an error or Ctrl-C") \
    HISTOGRAM_INTERVAL_MEMBERS(M, O)                                                \
    O(LIST, steps, histogram_row, "a window each, in the order of time; with until=instruction the last is a part " \
                                  "of the window before it; the interval is that of the last")
REPORT_WHOLE(zoom, "cpuprobe-zoom-1", ZOOM_MEMBERS)

void zoom_json(struct zoom_view *v, const struct zoom_told *told)
{
    const bool any = json_array_size(v->steps);

    json_print(REPORT_MAKE(zoom, .task = told->task, .mode = mode_name(told->mode), .seconds = told->seconds,
                           .until = until[told->goal], .complete = told->complete,
                           .interval = any ? histogram_interval(v->view) : NULL,
                           .interval_reason = any ? histogram_interval_reason(v->view) : NULL, .steps = v->steps),
               JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    v->steps = NULL;
}
