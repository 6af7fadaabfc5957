/* SPDX-License-Identifier: MIT */
/*
 * Counts how often the intervals of cells that few ticks hit cover, as simulate.c does with those of many: by the
 * hits that a cell expects of the share that it had in the run, and by the hits that it got (docs/ACCOUNTING.md,
 * "Few hits").
 *
 *     simulate_few [RUNS]      default 3000, 2000 or more
 *
 * A line for each load and policy.  Exit status 1 where cells that expect as many hits, 0.1 to 20, are covered in
 * less than 94 %; where the mean over these is not 94.5 to 97.5 % for cells whose hits do not depend on each other
 * (all cells with `exponential`, those of pieces much shorter than T with every policy); or where cells of the
 * paper's load that got as many hits, 0 to 20, are covered in less than 94 %.  Three standard errors are allowed.  2:
 * wrong usage.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/host/worlds.h"

#define LEAST     0.1 /* hits that a cell expects */
#define MOST      20.0
#define BINS      24 /* from the least to the most, of equal ratio */
#define HITS      21
#define SAMPLES   1000
#define LONGEST   7200 /* samples; the paper's load has runs of 200 to this many, each ratio as often */
#define COVER_LOW 0.94
#define MEAN_LOW  0.945
#define MEAN_HIGH 0.975
#define PIECE     0.1 /* ms of 8.3 that are T */
#define FEWEST    30 /* cells, below which a cover says nothing */

struct count {
    double covered, all;
};

struct counts {
    struct count expected[BINS], hits[HITS];
};

/* Expected hits of the middle of a bin. */
static double middle(unsigned bin)
{
    return LEAST * pow(MOST / LEAST, (bin + 0.5) / BINS);
}

/* Six of the 24 expectations, in periodic pieces. */
static struct load pieces(unsigned which)
{
    struct load l = {.name = "pieces of 0.012 T", .tasks = 6};

    for (unsigned i = 0; i < 6; i++)
        l.periodic[i] = (struct periodic){PIECE * SAMPLES / middle(4 * i + which), 0, PIECE};
    return l;
}

/* All expectations and the rest, in bursts. */
static struct load bursts(const char *name, double length)
{
    struct load l = {.name = name, .burst = length * 1000 / WORLD_RATE, .tasks = BINS + 1};

    l.weight[BINS] = SAMPLES;
    for (unsigned i = 0; i < BINS; i++) {
        l.weight[i] = middle(i);
        l.weight[BINS] -= l.weight[i];
    }
    return l;
}

static void count(struct count *to, bool covered)
{
    to->all++;
    to->covered += covered;
}

static void run(struct counts *c, const struct load *load, enum interval_policy policy, uint64_t samples,
                unsigned seed)
{
    struct estimator e;
    struct sampler a;
    struct run r;

    sampler_prepare(&a, &(struct sampler_request){
        .load = load, .policy = policy, .rate = WORLD_RATE, .seed = seed, .world = seed,
    });
    e = estimator_of(a.schedule.policy, a.schedule.spread, confidence_cv2(&a.schedule));
    sampler_begin(&r, &a);
    sampler_run(&r, &a, samples);
    for (unsigned i = 0; i < load->tasks; i++) {
        const double expected = (double)r.time[i] / (double)r.window * (double)samples;
        struct score score = {0};

        if (r.time[i] == 0)
            continue;
        score_cell(&score, &r, &e, i, samples);
        if (expected >= LEAST && expected < MOST)
            count(&c->expected[(unsigned)(BINS * log(expected / LEAST) / log(MOST / LEAST))], score.covered);
        if (r.hits[i] < HITS)
            count(&c->hits[r.hits[i]], score.covered);
    }
}

/* 1 where there are too few. */
static double cover(const struct count *c)
{
    return c->all < FEWEST ? 1 : c->covered / c->all;
}

static unsigned worst(const struct count *c, unsigned counts)
{
    unsigned at = 0;

    for (unsigned i = 1; i < counts; i++)
        if (cover(&c[i]) < cover(&c[at]))
            at = i;
    return at;
}

static int fails(const struct count *c, unsigned counts)
{
    int failures = 0;

    for (unsigned i = 0; i < counts; i++)
        failures += cover(&c[i]) < COVER_LOW - 3 * sqrt(COVER_LOW * (1 - COVER_LOW) / fmax(1, c[i].all));
    return failures;
}

struct rule {
    bool independent, by_hits; /* what is asked besides the cover by expectation */
};

static int report(const char *load, enum interval_policy policy, const struct counts *c, struct rule rule)
{
    const unsigned least = worst(c->expected, BINS), group = worst(c->hits, HITS);
    int failures = fails(c->expected, BINS) + (rule.by_hits ? fails(c->hits, HITS) : 0);
    double mean = 0, bins = 0;

    for (unsigned i = 0; i < BINS; i++)
        if (c->expected[i].all >= FEWEST) {
            mean += cover(&c->expected[i]);
            bins++;
        }
    mean /= fmax(1, bins);
    failures += rule.independent && (mean < MEAN_LOW || mean > MEAN_HIGH);
    printf("%-18s %-11s cover %5.1f %% in the mean, least %5.1f %% (%.2f expected, %.0f cells); "
           "by hits least %5.1f %% (%u hits, %.0f cells), of one hit %5.1f %%%s\n",
           load, interval_policies[policy]->name, 100 * mean, 100 * cover(&c->expected[least]), middle(least),
           c->expected[least].all, 100 * cover(&c->hits[group]), group, c->hits[group].all,
           100 * cover(&c->hits[1]), failures ? ": FAILED" : "");
    return failures;
}

/* From 200 to LONGEST, each ratio as often. */
static uint64_t length_of(unsigned run, unsigned runs)
{
    return (uint64_t)(200 * pow(LONGEST / 200.0, (run - 0.5) / runs));
}

static int judge(enum interval_policy policy, unsigned runs)
{
    static const struct {
        const char *name;
        double length;
    } lengths[] = {{"bursts of 0.25 T", 0.25}, {"bursts of T", 1}, {"bursts of 8 T", 8}};
    struct counts c = {0};
    int failures;

    for (unsigned i = 0; i < 4 * runs; i++) {
        const struct load load = pieces(i % 4);

        run(&c, &load, policy, SAMPLES, i / 4 + 1);
    }
    failures = report("pieces of 0.012 T", policy, &c, (struct rule){.independent = true});
    for (unsigned l = 0; l < 3; l++) {
        const struct load load = bursts(lengths[l].name, lengths[l].length);

        c = (struct counts){0};
        for (unsigned i = 1; i <= runs; i++)
            run(&c, &load, policy, SAMPLES, i);
        failures += report(load.name, policy, &c, (struct rule){.independent = policy == INTERVAL_EXPONENTIAL});
    }
    c = (struct counts){0};
    for (unsigned i = 1; i <= runs; i++)
        run(&c, &worlds[0], policy, length_of(i, runs), i);
    return failures + report(worlds[0].name, policy, &c, (struct rule){policy == INTERVAL_EXPONENTIAL, true});
}

int main(int argc, char **argv)
{
    const unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 3000;

    if (runs < 2000 || argc > 2) {
        fprintf(stderr, "usage: simulate_few [RUNS], 2000 or more\n");
        return 2;
    }
    return (judge(INTERVAL_STRATIFIED, runs) + judge(INTERVAL_RANDOM, runs) + judge(INTERVAL_EXPONENTIAL, runs)) != 0;
}
