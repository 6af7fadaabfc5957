/* SPDX-License-Identifier: MIT */
/*
 * Shows a profile as `cpuprobe histogram` does: by slots, as the paper's Figures 4 and 5, or by function, line or
 * instruction.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/histogram.h"
#include "probe/stats/zoom.h"
#include "tools/analysis/breakdown.h"
#include "tools/analysis/profile.h"
#include "tools/symbols/symbol_resolver.h"

struct histogram_view {
    const struct profile *profile;
    const struct code_files *symbols;
    bool names; /* slots under the functions they overlap */
    bool octal, wald;
    uint64_t min;
    unsigned columns; /* of a line; 0: 80, and more where a name needs them */
};

/*
 * Print by slots: those of the region; for raw samples those that the region monitor would use for
 * [low, high); both 0: the addresses that have hits.
 */
void view_slots(const struct histogram_view *v, uint64_t low, uint64_t high);

/* The same slots as a histogram, in `slot`, which has room for one more than the profile has atoms. */
struct histogram view_slots_of(const struct histogram_view *v, uint64_t low, uint64_t high,
                               struct histogram_slot *slot);

/* view_slots() and view_breakdown() as one JSON object. */
void view_slots_json(const struct histogram_view *v, uint64_t low, uint64_t high);
bool view_breakdown_json(const struct histogram_view *v, enum breakdown_by by);

/* False, with a message, if the profile does not have enough detail. */
bool view_breakdown(const struct histogram_view *v, enum breakdown_by by);

/*
 * Narrow the addresses step by step, printing each: to the span of the slots with hits, until the
 * lowest and the highest slot have hits; then to the hottest function, and to its hottest
 * instruction.  A step may drop hits at both ends as long as `percent` of all remain.  Raw samples
 * only: false, with a message, for a region.
 */
bool view_zoom(const struct histogram_view *v, enum zoom_goal goal, unsigned percent);

/* The same as one JSON object. */
bool view_zoom_json(const struct histogram_view *v, enum zoom_goal goal, unsigned percent);

/* ---- what the views share ---- */

#define VIEW_COLUMNS 80 /* of a line that goes to no terminal, where lines have to end somewhere */

/* The nearest width that a line of a report can have. */
unsigned view_within(unsigned columns);

/* pager_columns() within these limits; `otherwise` where there is no such width. */
unsigned view_columns(unsigned otherwise);

/* The head of a histogram of the profile, without slots. */
struct histogram view_histogram(const struct histogram_view *v);
struct histogram_options view_options(const struct histogram_view *v);

/* A line on standard output. */
void view_line(void *context, const char *text);
void view_end_line(struct text_buf *l);

/*
 * A name from a file, with '?' for unprintable characters, and dots for the middle of one that is longer than
 * `width`; 0: whole.  Valid until the next call.
 */
const char *view_name(const char *name, unsigned width);

/* Such a name, left-aligned in `width` columns. */
void view_left(struct text_buf *l, const char *text, unsigned width);
