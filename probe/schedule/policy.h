/* SPDX-License-Identifier: MIT */
/*
 * One interval policy: how the next interval between ticks is chosen.  Each
 * policy is one file (policy_*.c) that fills one struct policy, and one row of
 * interval_policies[] in schedule.c.  Policies know neither each other nor the source.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The policies, as interval= has them. */
enum interval_policy {
    INTERVAL_STRATIFIED, INTERVAL_RANDOM, INTERVAL_EXPONENTIAL, INTERVAL_NARROW, INTERVAL_FIXED,
    INTERVAL_ARITHMETIC, INTERVALS
};

/* How the samples of a policy make the variance of a share known. */
enum pairing {
    PAIR_NEVER,   /* it is not known: no interval is printed */
    PAIR_EACH,    /* each sample with the one before: runs */
    PAIR_STRATUM, /* the two samples of one stratum: discordant pairs */
};

struct schedule;

struct policy {
    const char *name;
    enum pairing pairing;
    /*
     * Lay the schedule's constants down from s->mean (counts, 16.16), s->minimum
     * (counts) and s->spread (thousandths of the mean, the full width); task
     * context.  Returns NULL, or why these numbers cannot be had: a sentence
     * without its full stop.
     */
    const char *(*prepare)(struct schedule *s, uint32_t handler);
    /*
     * The next interval in counts of the source, >= s->minimum; sets s->pair.
     * Interrupt context: neither divides nor waits.
     */
    uint64_t (*next)(struct schedule *s);
    /*
     * Where the schedule stands, and to stand there again; any context.  0: no
     * interval was given, 1: the last one's sample pairs with none before it,
     * 2: it does.  Both NULL where s->begun and s->pair say it, as of independent
     * intervals; a policy without pairs leaves them alone and knows 0 only.
     */
    unsigned (*phase)(const struct schedule *s);
    void (*resume)(struct schedule *s, unsigned phase);
    /* schedule_run(), where it can be had faster than by next(); else NULL. */
    void (*run)(struct schedule *s, uint64_t *interval, unsigned count);
    /*
     * PAIR_EACH: the variance of what is drawn over s->base, over its mean squared,
     * 1/2^32; and whether s->spread says how wide that is.
     */
    uint32_t variance;
    bool spreads;
    const char *reason; /* PAIR_NEVER: why no interval can be given */
};

/* Each of them.  Any context. */
extern const struct policy *const interval_policies[INTERVALS];

extern const struct policy policy_arithmetic, policy_exponential, policy_fixed, policy_narrow,
    policy_random, policy_stratified;
