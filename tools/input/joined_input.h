/* SPDX-License-Identifier: MIT */
/*
 * Joins two streams of one run, each by a clock of its own, on one time line: that of the first.  Their events
 * `sync` of equal numbers are the same moments.  Memory does not grow with their length.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "tools/input/timeline_input.h"
#include "tools/timeline/timeline.h"
#include "tools/trace/clock_fit.h"

struct joined_input {
    struct timeline_input *in[2];
    double hz;              /* of the second stream's clock */
    struct clock_fit clocks;
    struct timeline_item item[2];
    bool has[2];
};

/*
 * Both are open.  Reads both to find out how their clocks run, and begins again; from then on items of the
 * second have times of the first.  False, with a message, where they have no `sync` in common.
 */
bool joined_input_begin(struct joined_input *j, struct timeline_input *first, struct timeline_input *second);

/* The next item of both and the stream that it is from, 0 or 1; below 0 at the end. */
int joined_input_next(struct joined_input *j, struct timeline_item *to);

/* How the clocks run, as a comment. */
void joined_input_print(const struct joined_input *j, FILE *out);
