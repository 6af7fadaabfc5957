/* SPDX-License-Identifier: MIT */
/*
 * The schedule and its intervals against known loads: a simulated PIT drives
 * the real schedule_next(), and each share is compared with the one realised in
 * the same window (docs/ACCOUNTING.md, "What an estimate is compared with").
 *
 *     simulate [SEEDS [SAMPLES]]        default 1000 7200: 60 s at 120 Hz
 *
 * Prints one line for each load and policy.  Exit status 1 where `stratified`
 * or `random` covers less than 93 or more than 97 % of the truths, or where the
 * paper's interval with fixed ticks covers 80 % or more of a load that is
 * locked to the clock (then this test could not fail), 2 for wrong usage.  The
 * like of `random` holds of `exponential`, and of fixed ticks of `narrow`, which must
 * be 10 points off on a load in step with T, too.
 *
 * The formula of `random` sees one lag only.  For a load with one frequency and
 * theta = 2 pi T/period the design effect is (1-|rho|^2)/|1-rho|^2 with rho =
 * exp(i theta) sin(theta)/theta; the formula says 1/3 + 2/3 (1 - Re rho).  They
 * agree at theta = 0 and pi and above 2 pi, and differ most at periods of 4 T
 * (0.42 against 1) and 1.6 T (1.24 against 0.92).  Loads where this takes the
 * coverage out of 93 to 97 % carry a band of their own (tests/host/worlds.h), and
 * both extremes are loads there, so that what `random` promises is no more than
 * what is measured.
 *
 * Then runs that end as precision= has it: 1 also where fewer than 93 % of the truths
 * are covered at the stop, or fewer than 93 % of those of the cell that ruled.
 *
 * Counted are the cells that expect 20 hits or more.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/estimate/confidence.h"
#include "probe/stats/precision.h"
#include "tests/host/worlds.h"

#define RATE       WORLD_RATE /* ticks a second */
#define COVER_LOW  0.93
#define COVER_HIGH 0.97
#define FIXED_HIGH 0.80
#define NARROW_OFF 0.10 /* root mean square, on a load in step with T */

/* What a line says of the cells together. */
struct verdict {
    double cover; /* the fraction covered */
    double off;   /* root mean square of the error, of the worst cell */
};

/* One line. */
static struct verdict report(const struct score *score, const struct load *load,
                     enum interval_policy policy, unsigned seeds, uint64_t samples)
{
    double bias = 0, width = 0, root = 0, cover = 0, off = 0;
    unsigned counted = 0;

    for (unsigned c = 0; c <= load->tasks; c++) {
        if (score[c].truth / seeds * (double)samples < EXPECTED)
            continue;
        counted++;
        cover += (double)score[c].covered / seeds;
        width += score[c].width / seeds;
        root += 1.96 * sqrt(score[c].square / seeds);
        off = fmax(off, sqrt(score[c].square / seeds));
        if (fabs(score[c].error) > fabs(bias))
            bias = score[c].error;
    }
    printf("%-12s %-11s cells %2u  cover %5.1f %%  width +-%.3f  of the true one %4.2f  "
           "bias %+.4f points\n",
           load->name, interval_policies[policy]->name, counted, 100 * cover / counted, 100 * width / counted,
           width / root, 100 * bias / seeds);
    return (struct verdict){cover / counted, off};
}

static void prepare(struct sampler *a, const struct load *load, enum interval_policy policy, unsigned seed)
{
    sampler_prepare(a, &(struct sampler_request){
        .load = load, .policy = policy, .rate = RATE, .seed = seed, .world = seed,
    });
}

static struct verdict simulate(const struct load *load, enum interval_policy policy, unsigned seeds,
                       uint64_t samples)
{
    struct score score[WORLD_CELLS] = {0};

    for (unsigned seed = 1; seed <= seeds; seed++) {
        struct sampler a;
        struct run r;
        struct estimator e;

        prepare(&a, load, policy, seed);
        e = estimator_of(a.schedule.policy, a.schedule.spread, confidence_cv2(&a.schedule));
        sampler_begin(&r, &a);
        sampler_run(&r, &a, samples);
        for (unsigned c = 0; c <= load->tasks; c++)
            score_cell(&score[c], &r, &e, c, samples);
    }
    return report(score, load, policy, seeds, samples);
}

static bool fails(const char *load, enum interval_policy policy, double cover, double low,
                  double high)
{
    if (cover >= low && cover <= high)
        return false;
    printf("FAILED: %s with %s: %.1f %% covered, not %.1f to %.1f\n", load, interval_policies[policy]->name,
           100 * cover, 100 * low, 100 * high);
    return true;
}

/* A little jitter must not help where a fixed tick fails. */
static int judge_narrow(const struct load *load, unsigned seeds, uint64_t samples)
{
    const struct verdict v = simulate(load, INTERVAL_NARROW, seeds, samples);

    if (load->in_step && v.off < NARROW_OFF) {
        printf("FAILED: %s with narrow: only %.1f points off\n", load->name, 100 * v.off);
        return 1;
    }
    return (load->locked || load->in_step) && fails(load->name, INTERVAL_NARROW, v.cover, 0, FIXED_HIGH);
}

/* All policies on one load; returns the number of failures. */
static int judge(const struct load *load, unsigned seeds, uint64_t samples)
{
    /* Few seeds say less: three standard errors, where they are more than the 2 %. */
    double slack = fmax(0, 3 * sqrt(0.95 * 0.05 / seeds) - 0.02);
    double low = load->random_low > 0 ? load->random_low : COVER_LOW;
    double high = load->random_high > 0 ? load->random_high : COVER_HIGH;
    struct verdict v = simulate(load, INTERVAL_STRATIFIED, seeds, samples);
    int failures = fails(load->name, INTERVAL_STRATIFIED, v.cover, COVER_LOW - slack,
                         COVER_HIGH + slack);

    v = simulate(load, INTERVAL_RANDOM, seeds, samples);
    failures += fails(load->name, INTERVAL_RANDOM, v.cover, low - slack, high + slack);
    v = simulate(load, INTERVAL_EXPONENTIAL, seeds, samples);
    failures += fails(load->name, INTERVAL_EXPONENTIAL, v.cover, COVER_LOW - slack, COVER_HIGH + slack);
    v = simulate(load, INTERVAL_FIXED, seeds, samples);
    if (load->locked)
        failures += fails(load->name, INTERVAL_FIXED, v.cover, 0, FIXED_HIGH);
    return failures + judge_narrow(load, seeds, samples);
}

/*
 * Runs that precision= ends: a look each second, and the first at which the real
 * rule says so.  Whoever looks until he likes what he sees may be wrong more often:
 * so the coverage at the stop is counted, of all cells and of the one that ruled.
 */
static const struct stop {
    const char *load;
    uint64_t thousandths;
} stops[] = {
    {"figure3", 1500}, {"figure3", 2500}, {"hog", 800}, {"pollers", 1500}, {"sleepers", 1200},
};

#define STOP_SECONDS 200 /* that a run is given to end */

struct stopped {
    struct score all;
    double seconds;
    unsigned cells, ruled, runs, early;
};

static void fill_row(struct snapshot *s, const struct run *r, unsigned cell)
{
    struct snapshot_row *row = snapshot_row(s, cell + 1);

    row->total = r->hits[cell];
    row->total_changes = r->changes[cell];
}

/* The second at which the run ends, 0 where it does not; `ruling` is the cell. */
static unsigned run_to_stop(struct run *r, struct sampler *sampler, const struct estimator *e,
                            const struct stop *stop, unsigned *ruling)
{
    const unsigned cells = sampler->world.load->tasks + 1;
    struct snapshot s = {.rows = 0};
    unsigned second = 0;
    bool over = false;

    while (!over && second < STOP_SECONDS) {
        struct precision p;

        second++;
        sampler_run(r, sampler, RATE);
        for (unsigned c = 0; c < cells; c++)
            fill_row(&s, r, c);
        s.samples = (uint64_t)second * RATE;
        p = precision_of(&s, e);
        over = precision_reached(&s, &p, stop->thousandths);
        *ruling = (unsigned)(p.row - s.row);
    }
    return over ? second : 0;
}

static void stop_one(struct stopped *to, struct sampler *sampler, const struct stop *stop)
{
    const struct schedule *schedule = &sampler->schedule;
    const struct estimator e = estimator_of(schedule->policy, schedule->spread, confidence_cv2(schedule));
    unsigned ruling, second;
    struct run r;

    sampler_begin(&r, sampler);
    second = run_to_stop(&r, sampler, &e, stop, &ruling);
    if (second == 0)
        return;
    to->runs++;
    to->early += (uint64_t)second * RATE < PRECISION_SAMPLES;
    to->seconds += second;
    for (unsigned c = 0; c <= sampler->world.load->tasks; c++) {
        struct score one = {0};

        if ((double)r.time[c] / (double)r.window * second * RATE < EXPECTED)
            continue;
        score_cell(&one, &r, &e, c, (uint64_t)second * RATE);
        to->cells++;
        to->all.covered += one.covered;
        to->ruled += c == ruling && one.covered;
    }
}

static int judge_stop(const struct stop *stop, enum interval_policy policy, unsigned seeds)
{
    const double slack = fmax(0, 3 * sqrt(0.95 * 0.05 / seeds) - 0.02);
    const struct load *load = worlds;
    struct stopped t = {0};
    double cover, ruled;

    while (strcmp(load->name, stop->load) != 0)
        load++;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        struct sampler sampler;

        prepare(&sampler, load, policy, seed);
        stop_one(&t, &sampler, stop);
    }
    cover = (double)t.all.covered / fmax(1, t.cells);
    ruled = (double)t.ruled / fmax(1, t.runs);
    printf("%-12s %-10s precision=%.1f: %u of %u runs end, after %.1f s; cover %5.1f %%, of the cell "
           "that rules %5.1f %%\n", load->name, interval_policies[policy]->name, (double)stop->thousandths / 1000,
           t.runs, seeds, t.seconds / fmax(1, t.runs), 100 * cover, 100 * ruled);
    if (t.runs < seeds || t.early > 0)
        printf("FAILED: %s with %s: %u runs do not end, %u too early\n", load->name, interval_policies[policy]->name,
               seeds - t.runs, t.early);
    return fails(load->name, policy, cover, COVER_LOW - slack, 1) +
           fails(load->name, policy, ruled, COVER_LOW - slack, 1) + (t.runs < seeds || t.early > 0);
}

int main(int argc, char **argv)
{
    unsigned seeds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
    uint64_t samples = argc > 2 ? strtoull(argv[2], NULL, 10) : 7200;
    int failures = 0;

    if (seeds == 0 || samples == 0 || argc > 3) {
        fprintf(stderr, "usage: simulate [SEEDS [SAMPLES]]\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++)
        failures += judge(&worlds[i], seeds, samples);
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++)
        failures += judge_stop(&stops[i], INTERVAL_STRATIFIED, seeds) + judge_stop(&stops[i], INTERVAL_RANDOM, seeds);
    return failures ? 1 : 0;
}
