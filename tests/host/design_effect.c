/* SPDX-License-Identifier: MIT */
/*
 * The design effect of each policy on loads in step with a 10 ms clock, beside
 * what renewal theory says of it (docs/REPRODUCTION.md, proof 5).
 *
 *     design [SEEDS [SAMPLES]]      default 1000 3000: 30 s at 100 Hz
 *
 * A line for each load and policy: load policy bias deff formula plain printed.
 * Bias: the largest of any task, points; deff: the variance of the reported
 * share over p(1-p)/n, its mean over the tasks; formula: the same, calculated;
 * plain: what Wilson's interval at design effect 1 covers, percent; printed:
 * the same of the interval that the policy prints.  n.a. where there is none.
 *
 * Time is tau, the handler has no length.  A policy that is not built is left out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/schedule/schedule.h"
#include "probe/estimate/confidence.h"
#include "tests/host/score.h"

#define PIT_HZ    1193182.0
#define RATE      100      /* ticks a second: T is the clock's own period */
#define MINIMUM   119      /* counts */
#define HANDLER   20
#define TASKS_MAX 6
#define SERIES    20000    /* terms of Fourier's series */
#define HYPER     2100.0   /* ms: every load repeats after it */

/* Works `length` of each `period`, from `offset` on; no two of a load at once. */
struct task {
    double period, offset, length; /* ms */
};

struct load {
    const char *name;
    unsigned tasks;
    struct task task[TASKS_MAX];
};

static const struct load loads[] = {
    {"hog1", 1, {{10, 0, 9.5}}},
    {"pollers", 6, {{10, 0, 1}, {10, 1, 1}, {10, 2, 1}, {10, 3, 1}, {10, 4, 1}, {10, 5, 1}}},
    {"sleepers", 5, {{10, 0, 1.1}, {20, 1.1, 1.7}, {30, 2.8, 2.3}, {50, 5.1, 1.9},
                     {70, 7, 1.3}}},
};

/* A policy by the word of it and, for `random`, its width. */
struct way {
    const char *name;
    enum interval_policy policy;
    uint32_t spread; /* thousandths of T */
};

static const struct way ways[] = {
    {"fixed", INTERVAL_FIXED, 2000},
    {"U(0.9T,1.1T)", INTERVAL_RANDOM, 200},
    {"random", INTERVAL_RANDOM, 2000},
    {"stratified", INTERVAL_STRATIFIED, 2000},
    {"exponential", INTERVAL_EXPONENTIAL, 2000},
};

/* How long the task has worked from 0 to `now`, ms; its period begins at 0. */
static double worked(const struct task *t, double now)
{
    double turns = floor(now / t->period), into = now - turns * t->period - t->offset;

    return turns * t->length + fmin(fmax(into, 0), t->length);
}

static bool works(const struct task *t, double now)
{
    double into = now - floor(now / t->period) * t->period - t->offset;

    return into >= 0 && into < t->length;
}

/* Sums over the seeds, of one task. */
struct sums {
    double share, error, square;
    unsigned plain, printed;
};

struct counts {
    uint64_t hits[TASKS_MAX], changes[TASKS_MAX];
};

/* One run from `begin`, ms; returns when it ended. */
static double sample(struct counts *c, struct schedule *s, const struct load *load,
                     double begin, uint64_t samples)
{
    bool before[TASKS_MAX] = {false};
    double now = begin;

    memset(c, 0, sizeof *c);
    for (uint64_t n = 0; n < samples; n++) {
        now += (double)schedule_next(s) * 1000 / PIT_HZ;
        for (unsigned i = 0; i < load->tasks; i++) {
            const bool hit = works(&load->task[i], now);

            c->hits[i] += hit;
            c->changes[i] += s->pair && hit != before[i];
            before[i] = hit;
        }
    }
    return now;
}

static void add(struct sums *score, const struct tally *t, const struct estimator *e, double truth)
{
    const struct confidence plain = confidence_wilson(t, LEVEL_95);
    const double error = (double)t->hits / (double)t->samples - truth;

    score->share += truth;
    score->error += error;
    score->square += error * error;
    score->plain += truth >= plain.low && truth <= plain.high;
    if (e->reason == NULL) {
        const struct confidence i = confidence_of(e, t, LEVEL_95);

        score->printed += truth >= i.low && truth <= i.high;
    }
}

/*
 * Variance over p(1-p)/n of a load of one period: the terms of Fourier's series
 * of the load, each by what the intervals leave of it.
 */
static double formula(const struct task *t, const struct way *way)
{
    const double mean = 1000.0 / RATE, half = mean * way->spread / 2000;
    double sum = 0, weights = 0;

    for (int k = 1; k <= SERIES; k++) {
        const double w = 2 * M_PI * k / t->period, c = sin(w * t->length / 2) / (M_PI * k);
        const double x = w * (way->policy == INTERVAL_STRATIFIED ? mean : half);
        const double sinc = fabs(x) < 1e-9 ? 1 : sin(x) / x;
        double term = 1; /* exponential: a Poisson process samples as chance does */

        if (way->policy == INTERVAL_RANDOM) {
            const double re = sinc * cos(w * mean), im = sinc * sin(w * mean);

            term = (1 - sinc * sinc) / ((1 - re) * (1 - re) + im * im);
        } else if (way->policy == INTERVAL_STRATIFIED) {
            term = 1 - sinc * sinc; /* two points in 2T: what differs from stratum to stratum is gone */
        }
        sum += c * c * term;
        weights += c * c;
    }
    return sum / weights;
}

static void report(const struct load *load, const struct way *way, const struct sums *score,
                   bool interval, unsigned seeds, uint64_t samples)
{
    double bias = 0, deff = 0, expected = 0, plain = 0, printed = 0;

    for (unsigned i = 0; i < load->tasks; i++) {
        const double p = score[i].share / seeds;

        if (fabs(score[i].error) > fabs(bias))
            bias = score[i].error;
        deff += score[i].square / seeds / (p * (1 - p) / (double)samples) / load->tasks;
        expected += formula(&load->task[i], way) / load->tasks;
        plain += 100.0 * score[i].plain / seeds / load->tasks;
        printed += 100.0 * score[i].printed / seeds / load->tasks;
    }
    printf("%s %s %+.4f %.3f ", load->name, way->name, 100 * bias / seeds, deff);
    if (way->policy == INTERVAL_FIXED)
        printf("n.a. ");
    else
        printf("%.3f ", expected);
    printf(interval ? "%.1f %.1f\n" : "%.1f n.a.\n", plain, printed);
}

static void simulate(const struct load *load, const struct way *way, unsigned seeds, uint64_t samples)
{
    struct schedule_request request = {
        .policy = way->policy, .mean = (uint64_t)(PIT_HZ * 65536 / RATE), .minimum = MINIMUM,
        .handler = HANDLER, .spread = way->spread,
    };
    struct sums score[TASKS_MAX] = {0};
    bool interval = false;

    for (unsigned seed = 1; seed <= seeds; seed++) {
        uint64_t random = seed;
        const double begin = HYPER * uniform(&random);
        struct schedule s;
        struct estimator e;
        struct counts c;
        double end;

        request.seed = seed;
        if (schedule_init(&s, &request) != NULL)
            exit(1);
        e = estimator_of(s.policy, s.spread, confidence_cv2(&s));
        interval = e.reason == NULL;
        end = sample(&c, &s, load, begin, samples);
        for (unsigned i = 0; i < load->tasks; i++) {
            const struct task *t = &load->task[i];
            const struct tally tally = {c.hits[i], samples, c.changes[i]};

            add(&score[i], &tally, &e, (worked(t, end) - worked(t, begin)) / (end - begin));
        }
    }
    report(load, way, score, interval, seeds, samples);
}

int main(int argc, char **argv)
{
    const unsigned seeds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
    const uint64_t samples = argc > 2 ? strtoull(argv[2], NULL, 10) : 3000;

    if (seeds == 0 || samples == 0 || argc > 3) {
        fprintf(stderr, "usage: design [SEEDS [SAMPLES]]\n");
        return 2;
    }
    for (size_t l = 0; l < sizeof loads / sizeof loads[0]; l++)
        for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++)
            simulate(&loads[l], &ways[w], seeds, samples);
    return 0;
}
