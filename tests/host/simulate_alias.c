/* SPDX-License-Identifier: MIT */
/*
 * The alias alarm on two simulated samplers that look at the very same load:
 * how often it is false, and how often it finds a tick in step with the load
 * (docs/ACCOUNTING.md, "Two sources side by side").
 *
 *     beside [RUNS]      default 500, of 5 seconds each
 *
 * A line for each pair.  Exit status 1 where an alarm that would be false comes in
 * 2 % of the runs or more, where a fixed tick in step is found in less than 80 %,
 * or where in 5 % of those found the blame falls on another than it; 2: wrong usage.
 * Few runs say less: three standard errors are allowed.
 */
#include <stdio.h>

#include "probe/stats/alias.h"
#include "tests/host/worlds.h"

#define SECONDS 5
#define MISSES  0.02 /* of right pairs, that raise the alarm */
#define FINDS   0.80 /* of wrong ones, that do */
#define BLAMED  0.95 /* of those found, that name the source which is wrong */
#define FIRST   120  /* row id of the first cell */

struct way {
    enum interval_policy policy;
    unsigned rate; /* Hz */
};

struct pair {
    const char *load;
    struct way way[2];
    bool wrong; /* the second one is in step with the load */
};

static const struct pair pairs[] = {
    {"figure3", {{INTERVAL_STRATIFIED, 400}, {INTERVAL_STRATIFIED, 360}}, false},
    {"hog", {{INTERVAL_STRATIFIED, 400}, {INTERVAL_STRATIFIED, 120}}, false},
    {"hog", {{INTERVAL_STRATIFIED, 120}, {INTERVAL_RANDOM, 120}}, false},
    {"pollers", {{INTERVAL_STRATIFIED, 400}, {INTERVAL_EXPONENTIAL, 400}}, false},
    {"sleepers", {{INTERVAL_RANDOM, 400}, {INTERVAL_STRATIFIED, 400}}, false},
    {"isochronous", {{INTERVAL_STRATIFIED, 120}, {INTERVAL_RANDOM, 400}}, false},
    {"bursts", {{INTERVAL_STRATIFIED, 400}, {INTERVAL_STRATIFIED, 400}}, false},
    {"phases", {{INTERVAL_STRATIFIED, 400}, {INTERVAL_RANDOM, 120}}, false},
    {"phases", {{INTERVAL_STRATIFIED, 120}, {INTERVAL_STRATIFIED, 400}}, false},
    {"figure3", {{INTERVAL_RANDOM, 400}, {INTERVAL_FIXED, 367}}, false},
    {"figure3", {{INTERVAL_STRATIFIED, 400}, {INTERVAL_FIXED, 400}}, false},
    {"bursts", {{INTERVAL_RANDOM, 400}, {INTERVAL_FIXED, 367}}, false},
    {"figure3", {{INTERVAL_STRATIFIED, 100}, {INTERVAL_FIXED, 2880}}, false},
    {"phases", {{INTERVAL_EXPONENTIAL, 400}, {INTERVAL_FIXED, 120}}, false},
    {"hog", {{INTERVAL_STRATIFIED, 120}, {INTERVAL_FIXED, 120}}, true},
    {"hog", {{INTERVAL_STRATIFIED, 400}, {INTERVAL_FIXED, 400}}, true},
    {"hog", {{INTERVAL_RANDOM, 400}, {INTERVAL_FIXED, 100}}, true},
    {"pollers", {{INTERVAL_STRATIFIED, 400}, {INTERVAL_FIXED, 100}}, true},
};

#define PAIRS (sizeof pairs / sizeof pairs[0])

static const struct load *load_named(const char *name)
{
    const struct load *load = worlds;

    while (strcmp(load->name, name) != 0)
        load++;
    return load;
}

/* One sampler's run as the table of an image would have it. */
static void look(struct snapshot *s, struct table_options *o, const struct sampler_request *q)
{
    struct sampler a;
    struct run r;

    sampler_prepare(&a, q);
    sampler_begin(&r, &a);
    *s = (struct snapshot){.rows = 0};
    s->samples = sampler_run_for(&r, &a, MS(1000 * SECONDS));
    s->end = r.window;
    for (unsigned c = 0; c <= q->load->tasks; c++) {
        struct snapshot_row *row = snapshot_row(s, FIRST + c);

        row->hits[MODE_USER] = row->total = r.hits[c];
        row->changes[MODE_USER] = row->total_changes = r.changes[c];
        row->time[MODE_USER] = r.time[c];
    }
    *o = (struct table_options){
        .estimator = estimator_of(a.schedule.policy, a.schedule.spread, confidence_cv2(&a.schedule)),
    };
}

struct found {
    unsigned alarms, blamed;
};

static void run_once(struct found *f, const struct pair *pair, unsigned number, bool exact)
{
    struct snapshot s[2];
    struct table_options o[2];
    struct alias_side side[2];
    struct alias a;

    for (unsigned i = 0; i < 2; i++) {
        look(&s[i], &o[i], &(struct sampler_request){
            .load = load_named(pair->load), .policy = pair->way[i].policy, .rate = pair->way[i].rate,
            .seed = 2 * number + i + 1, .world = number + 1,
        });
        s[i].exact = exact;
        side[i] = (struct alias_side){interval_policies[pair->way[i].policy]->name, &s[i], &o[i]};
    }
    alias_compare(&a, side);
    f->alarms += a.differ != 0;
    f->blamed += a.differ != 0 && a.wrong[1] && !a.wrong[0];
}

static bool judge(const struct pair *pair, unsigned runs)
{
    struct found with = {0}, without = {0};
    const double goal = pair->wrong ? FINDS : MISSES, slack = 3 * sqrt(goal * (1 - goal) / runs);
    double found, blamed;
    bool fails;

    for (unsigned i = 0; i < runs; i++) {
        run_once(&with, pair, i, true);
        run_once(&without, pair, i, false);
    }
    found = (double)with.alarms / runs;
    blamed = with.alarms ? fmin(with.blamed, without.blamed) / (double)with.alarms : 1;
    if (pair->wrong)
        fails = found < FINDS - (runs < 500 ? slack : 0) || blamed < BLAMED;
    else
        fails = found >= MISSES + (runs < 500 ? slack : 0);
    printf("%-12s %-10s %4u Hz, %-10s %4u Hz: %s in %5.1f %% of the runs", pair->load,
           interval_policies[pair->way[0].policy]->name, pair->way[0].rate,
           interval_policies[pair->way[1].policy]->name, pair->way[1].rate,
           pair->wrong ? "found" : "false alarm", 100 * found);
    if (pair->wrong)
        printf(", the second blamed in %5.1f %% of them by the truth, %5.1f %% without it",
               100.0 * with.blamed / fmax(1, with.alarms), 100.0 * without.blamed / fmax(1, without.alarms));
    printf("%s\n", fails ? ": FAILED" : "");
    return fails;
}

int main(int argc, char **argv)
{
    const unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 500;
    unsigned failures = 0;

    if (runs == 0 || argc > 2) {
        fprintf(stderr, "usage: beside [RUNS]\n");
        return 2;
    }
    for (size_t i = 0; i < PAIRS; i++)
        failures += judge(&pairs[i], runs);
    return failures != 0;
}
