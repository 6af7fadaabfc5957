/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe diff --fail-if EXPR`: the differences for which `diff` fails.
 *
 *     any             a significant difference of any row
 *     +0.5            any row grew, significantly, by more than 0.5 points
 *     -0.5            any row fell, significantly, by more than 0.5 points
 *     NAME > +0.5     the same of the row of this name (the sign may be left out)
 *     NAME < -0.5
 *
 * "By more than 0.5 points" refers to the difference itself, not to its interval.
 */
#pragma once

#include <stdbool.h>

#include "tools/analysis/share_diff.h"

struct fail_condition {
    char *name;    /* NULL: any row */
    bool any;      /* a difference of any size */
    double points; /* percentage points, signed: not above 0 if `falls`, else not below 0 */
    bool falls;
};

/* False, with nothing to free, if the text is none of the above. */
bool fail_if_parse(struct fail_condition *c, const char *text);
void fail_if_free(struct fail_condition *c);

/* True: the row meets the condition, so that `diff` fails. */
bool fail_if_matches(const struct fail_condition *c, const struct share_diff_row *row);
