/* SPDX-License-Identifier: MIT */
/*
 * A profile as `cpuprobe histogram` shows it: by slots, as the paper's Figures 4
 * and 5, or by function, line or instruction; and the steps of a zoom.
 */
#ifndef TOOLS_CMD_HISTOGRAM_VIEW_H
#define TOOLS_CMD_HISTOGRAM_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/histogram.h"
#include "probe/stats/zoom.h"
#include "tools/analysis/breakdown.h"
#include "tools/analysis/profile.h"

struct histogram_view {
    const struct profile *profile;
    const struct code_files *symbols;
    bool names; /* slots under the functions they overlap */
    bool octal, wald;
    uint64_t min;
    unsigned columns;
};

/*
 * Slots: those of the region, or of raw samples those that the region monitor
 * would have over [low, high); both 0: over the addresses that have hits.
 */
void view_slots(const struct histogram_view *v, uint64_t low, uint64_t high);

/* False, with a sentence, where the profile does not tell as much. */
bool view_breakdown(const struct histogram_view *v, enum breakdown_by by);

/*
 * Narrow the addresses step by step, printing each: to the span of the slots
 * with hits, until lowest and highest slot have some; then to the hottest
 * function, and to its hottest instruction.  Narrowing may leave hits at both
 * ends aside, as long as `percent` of all stay.  Raw samples only: false, with a
 * sentence, of a region.
 */
bool view_zoom(const struct histogram_view *v, enum zoom_goal goal, unsigned percent);

/* ---- what the views share ---- */

/* The width of the terminal, within what a report can have; 80 where it is none. */
unsigned view_columns(void);

/* The head of a histogram of the profile, without slots. */
struct histogram view_histogram(const struct histogram_view *v);
struct histogram_options view_options(const struct histogram_view *v);

/* A line on standard output. */
void view_line(void *context, const char *text);
void view_end_line(struct text_buf *l);

/* A name out of a file, with '?' for unprintable characters; valid until the next call. */
const char *view_printable(const char *name);

/* The text, at the left of `width` columns; a longer text is cut and ends with dots. */
void view_left(struct text_buf *l, const char *text, unsigned width);

#endif
