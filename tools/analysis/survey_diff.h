/* SPDX-License-Identifier: MIT */
/* Compares two surveys, number by number: two boards, or one before and after a change of its firmware's settings. */
#pragma once

#include <stdbool.h>

#include "probe/survey/survey.h"

#define SURVEY_DIFF_ROWS 64u

/* Of loops that are told how often they meet a gap: their time, us. */
#define SURVEY_LOOPS 4
extern const uint64_t survey_loops[SURVEY_LOOPS];

struct survey_value {
    bool known, interval;
    double value, low, high; /* low and high: of its interval, where it has one */
};

struct survey_diff_row {
    char name[64];          /* with its unit */
    struct survey_value of[2];
    bool differ;            /* both have intervals, which do not overlap */
};

struct survey_diff {
    struct survey_diff_row row[SURVEY_DIFF_ROWS];
    unsigned rows;
};

/* What is in either of the two. */
void survey_diff_make(struct survey_diff *d, const struct survey *a, const struct survey *b);
