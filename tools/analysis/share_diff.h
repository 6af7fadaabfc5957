/* SPDX-License-Identifier: MIT */
/*
 * Two runs row by row: the difference of two sampled shares, its interval, and
 * whether it is more than chance.
 *
 * The test is two-sided, each run with the variance of its own design, not
 * pooled, and Student's t with the degrees of freedom of these variances (Welch);
 * of two stratified runs the plain test of pooled counts holds as well,
 * and the smaller p is taken.  Where a run has fewer than SHARE_DIFF_FEW hits, or
 * as few misses, the larger p of Fisher's exact test and the plain one is taken.
 *
 * What points in handlers move shares by (estimator.bias) is no chance.  In two runs of one program it moves
 * the same code in the same way, each share in proportion to itself: intervals have room for that part of both
 * shares, and the test takes those within it that differ least.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/estimate/confidence.h"

#define SHARE_DIFF_FAMILY 0.05 /* probability that any row of two equal runs is called significant */
#define SHARE_DIFF_FEW    30   /* hits; below this, counts are compared, not variances */

/* What is known of all shares of one run. */
struct share_diff_run {
    struct estimator estimator;
    uint64_t samples;
    uint64_t unknown; /* samples whose place is not known: they may belong to any row */
};

struct share_diff_row {
    const char *name; /* the caller's */
    struct tally a, b;
    double difference; /* share in B minus share in A */
    double low, high;  /* its 95 % interval; NaN where a run has none */
    double p;          /* probability of this or a larger difference if the shares are equal; NaN likewise */
    double adjusted;   /* after Holm's correction over all rows; NaN likewise */
    bool significant;
};

struct share_diff {
    struct share_diff_run a, b;
    struct share_diff_row *row;
    size_t rows;
};

/* The interval of a share, with between none and all of the unknown samples counted in it. */
struct confidence share_diff_share(const struct share_diff_run *run, const struct tally *t,
                                   enum level level);

/* NULL, or the reason why neither an interval nor a test is possible. */
const char *share_diff_reason(const struct share_diff *c);

/* The interval of b - a from theirs, by square and add (Newcombe 1998; of Wilson's intervals it is his method 10). */
struct confidence share_diff_newcombe(const struct confidence *a, const struct confidence *b);

/* The difference of one row and its interval, and its p. */
void share_diff_row(const struct share_diff *c, struct share_diff_row *row);

/*
 * Holm's correction: from the p of all rows to `adjusted` and `significant`.  Sorts the rows by the
 * size of the difference, the largest first.
 */
void share_diff_finish(struct share_diff *c);

/* Find or make the row of this name, all of its counts 0. */
struct share_diff_row *share_diff_add(struct share_diff *c, const char *name);
void share_diff_free(struct share_diff *c);

/*
 * The tests behind p.  Student's t, two-sided; more than 1000 degrees of freedom
 * count as normal, infinitely many too.
 */
double share_diff_student(double t, double freedom);

/* Fisher's exact test, two-sided by doubling; at most 1. */
double share_diff_fisher(const struct tally *a, const struct tally *b);

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
