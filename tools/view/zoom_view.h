/* SPDX-License-Identifier: MIT */
/*
 * Shows the steps of a zoom as a table, and searches for the code that has the hits of a window, for the zoom into a
 * file and that into a running image (probe/stats/zoom.h makes the steps).
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/zoom.h"
#include "tools/analysis/breakdown.h"
#include "tools/base/report_object.h"
#include "tools/view/histogram_view.h"

struct zoom_view {
    const struct histogram_view *view; /* its profile is that of the step */
    unsigned rows;                     /* steps printed so far */
    unsigned width;                    /* of the addresses, columns */
    struct text_buf line;
    char text[TEXT_BUF_SIZE];
    bool windows;  /* steps are of windows of their own, with samples of their own */
    json_t *steps; /* not NULL: an array that steps are appended to; nothing is printed */
};

/* Print the column headings; no address will be above `high`. */
void zoom_view_head(struct zoom_view *v, const struct histogram_view *view, uint64_t high);

/*
 * Instead: take the steps as rows of the histogram's JSON, in `steps`, for the caller to release; nothing is printed.
 */
void zoom_view_collect(struct zoom_view *v, const struct histogram_view *view);

/* Print a step: its addresses, the size of a slot, the share of all samples, and the code found there. */
void zoom_view_step(struct zoom_view *v, const struct zoom *z);

/* For struct zoom_window: find the function with the most hits of the profile in [low, high). */
struct zoom_code {
    const struct histogram_view *view;
    uint64_t low, high;
    struct breakdown functions; /* of the last question; freed by zoom_code_free() */
    int32_t row;                /* the answer among them */
};

bool zoom_code_hottest(void *code, struct zoom_hottest *to);
void zoom_code_free(struct zoom_code *code);

/* Print the functions of the last step if they share its slots and no smaller slots are possible. */
void zoom_view_end(struct zoom_view *v, const struct zoom *z);

/*
 * A last step to the hottest instruction of [low, high): of the function that was
 * found, where the profile has single addresses.
 */
void zoom_view_instruction(struct zoom_view *v, const struct zoom_code *code);

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
