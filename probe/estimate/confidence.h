/* SPDX-License-Identifier: MIT */
/*
 * How far a sampled share can be from the truth: the intervals that a policy
 * allows (docs/ACCOUNTING.md, "The schedule"), and the paper's own (Crowe,
 * appendix), which is Wald's.  Task and host context: floating point.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/config/config.h"
#include "probe/schedule/policy.h"

enum level { LEVEL_95, LEVEL_999, LEVELS };

struct confidence { /* shares, 0 .. 1 */
    double estimate, low, high;
};

/* How the samples were taken. */
struct estimator {
    enum pairing pairing;
    double cv2;         /* the part of the design effect that no pair shows: that of the interval with
                           PAIR_EACH, a part of it in thinned samples, else 0 */
    const char *reason; /* NULL, or why no interval can be given: "fixed ticks" */
    double bias;        /* 0 .. 1: part of the time by which points avoid handlers of ticks; it is spread over all
                           shares in a way that is not known, and each interval has room for all of it */
};

/* The counts behind one share. */
struct tally {
    uint64_t hits;    /* samples in the cell, <= samples */
    uint64_t samples; /* n, all samples, lost ones included */
    uint64_t changes; /* pairs (discordant pairs or runs) with exactly one of the
                         two samples in the cell */
};

struct schedule;

/*
 * Squared coefficient of variation of a single interval of the schedule; 0 if no
 * formula needs it (only PAIR_EACH does).
 */
double confidence_cv2(const struct schedule *s);

/* The estimator for a policy at this spread (thousandths) and cv2. */
struct estimator estimator_of(const struct policy *policy, uint32_t spread, double cv2);

/* Two-sided critical value of Student's t at `freedom` degrees (0 counts as 1). */
double confidence_t(enum level level, uint64_t freedom);

/* Square root; 0 if `square` is not above 0. */
double confidence_root(double square);

/* The design effect: variance of the share divided by p(1-p)/n; 1 if it is not known. */
double confidence_deff(const struct estimator *e, const struct tally *t);

/* Degrees of freedom of that variance, 1 or more; only where some, not all, samples are hits. */
double confidence_freedom(const struct estimator *e, const struct tally *t);

/*
 * The interval of a share by the estimator, of chance and e->bias; [0, 1] for 0 samples.  Call it
 * only if e->reason is NULL.  Always 0 <= low <= estimate <= high <= 1.
 */
struct confidence confidence_of(const struct estimator *e, const struct tally *t,
                                enum level level);

/* Wilson's interval for plain binomial counts (design effect 1). */
struct confidence confidence_wilson(const struct tally *t, enum level level);

/*
 * The paper's interval: estimate +- z sqrt(m(1-m)/(n-1)), not cut at 0 and 1.  For
 * fewer than two samples low and high equal the estimate.
 */
struct confidence confidence_wald(const struct tally *t, enum level level);

/*
 * Limits that few hits put on a share.  They are those of a Poisson count, and cover the share of independent samples
 * at least as often, because a binomial count varies less.  Task and host context: floating point.
 */

/* Whether so few of the samples are hits that the normal distribution does not describe them. */
bool few_hits(double hits, double samples);

/*
 * The interval of the share hits/samples.  Call it only if few_hits(); neither number need be whole (effective
 * samples).  0 <= low <= estimate <= high <= 1.
 */
struct confidence few_hits_limits(double hits, double samples, enum level level);

/*
 * The estimator that the policy of a run allows, from the run's configuration words
 * and measured intervals (docs/ACCOUNTING.md, "The schedule").  Task and host context.
 */

/* `mean` is in counts, 48.16, and `minimum` in counts, as in HELLO. */
struct estimator estimator_of_run(const struct config *words, uint64_t mean,
                                  uint32_t minimum);

/*
 * The estimator of raw samples of which two in each 2 * factor are told (probe/stream/decimate.h), from that of all
 * ticks.  factor: 0 or 1 returns `whole`.
 */
struct estimator estimator_of_thinned(struct estimator whole, uint64_t factor);
