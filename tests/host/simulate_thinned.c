/* SPDX-License-Identifier: MIT */
/*
 * Counts how often the intervals of thinned raw samples cover, by the real schedule and the real choice of ticks
 * against known loads, and how often `diff` of two such runs of the very same load finds a difference
 * (docs/ACCOUNTING.md, "Raw samples").
 *
 *     simulate_thinned [RUNS]      default 200, of a minute each, four where two in 32 ticks are told
 *
 * A line for each load, policy and factor.  Exit status 1 where less than 93 % of the truths are covered, more than
 * 97 % with `exponential`, whose formula is exact, or where diff finds a difference in more than 5 % of the equal
 * pairs.
 * Few runs say less: three standard errors are allowed.  Counted are the cells that expect 20 hits or more.  2: wrong
 * usage.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/estimate/confidence.h"
#include "probe/stream/decimate.h"
#include "tests/host/worlds.h"
#include "tools/analysis/share_diff.h"

#define COVER_LOW  0.93
#define COVER_HIGH 0.97

struct seen {
    struct run run;
    struct estimator estimator;
    uint64_t told;
};

static const char *const loads[] = {"figure3", "hog", "4 T", "phases", "slow phases"};
static const uint32_t factors[] = {2, 16};
static const struct load slow = {.name = "slow phases", .burst = 4000, .tasks = 4, .weight = {1, 2, 3, 4}};

static const struct load *load_named(const char *name)
{
    const struct load *load = worlds;

    if (strcmp(name, slow.name) == 0)
        return &slow;
    while (strcmp(load->name, name) != 0)
        load++;
    return load;
}

static void tell(struct seen *s, unsigned cell, unsigned before)
{
    s->run.hits[cell]++;
    if (s->told++ % 2 == 1 && cell != before) {
        s->run.changes[cell]++;
        s->run.changes[before]++;
    }
}

static void look(struct seen *s, const struct sampler_request *q, uint32_t factor, uint64_t length)
{
    struct sampler a;
    struct run all;
    unsigned before = 0;

    *s = (struct seen){.told = 0};
    sampler_prepare(&a, q);
    s->estimator = estimator_of_thinned(
        estimator_of(a.schedule.policy, a.schedule.spread, confidence_cv2(&a.schedule)), factor);
    sampler_begin(&all, &a);
    for (uint64_t tick = 0; a.now - a.begun < length; tick++) {
        sampler_tick(&all, &a);
        if (tick != decimate_tick(s->told, factor, q->seed))
            continue;
        tell(s, a.before, before);
        before = a.before;
    }
    memcpy(s->run.time, all.time, sizeof all.time);
    s->run.window = all.window;
}

static bool differ(const struct seen *a, const struct seen *b, unsigned cells)
{
    static const char *const names[] = {
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
        "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32", "33", "34", "35",
    };
    struct share_diff d = {.a = {a->estimator, a->told, 0}, .b = {b->estimator, b->told, 0}};
    bool found = false;

    for (unsigned c = 0; c < cells; c++) {
        struct share_diff_row *row = share_diff_add(&d, names[c]);

        row->a = (struct tally){a->run.hits[c], a->told, a->run.changes[c]};
        row->b = (struct tally){b->run.hits[c], b->told, b->run.changes[c]};
    }
    share_diff_finish(&d);
    for (unsigned c = 0; c < cells; c++)
        found |= d.row[c].significant;
    share_diff_free(&d);
    return found;
}

struct sums {
    struct score score[WORLD_CELLS];
    double told;
    unsigned alarms;
};

static void add(struct sums *to, const struct sampler_request *q, uint32_t factor)
{
    const uint64_t length = MS(factor < 16 ? 60000 : 240000);
    const unsigned cells = q->load->tasks + 1;
    struct sampler_request other = *q;
    struct seen a, b;

    other.seed += 1000000;
    look(&a, q, factor, length);
    look(&b, &other, factor, length);
    to->alarms += differ(&a, &b, cells);
    to->told += (double)a.told;
    for (unsigned c = 0; c < cells; c++)
        score_cell(&to->score[c], &a.run, &a.estimator, c, a.told);
}

static bool report(const struct sums *s, const struct load *load, enum interval_policy policy, uint32_t factor,
                   unsigned runs)
{
    const double slack = fmax(0, 3 * sqrt(0.95 * 0.05 / runs) - 0.02), alarms = (double)s->alarms / runs;
    double cover = 0, width = 0, root = 0;
    unsigned cells = 0;
    bool fails;

    for (unsigned c = 0; c <= load->tasks; c++) {
        if (s->score[c].truth / runs * (s->told / runs) < EXPECTED)
            continue;
        cells++;
        cover += (double)s->score[c].covered / runs;
        width += s->score[c].width / runs;
        root += 1.96 * sqrt(s->score[c].square / runs);
    }
    cover /= cells;
    fails = cover < COVER_LOW - slack || (policy == INTERVAL_EXPONENTIAL && cover > COVER_HIGH + slack) ||
            alarms > SHARE_DIFF_FAMILY + 3 * sqrt(SHARE_DIFF_FAMILY * (1 - SHARE_DIFF_FAMILY) / runs);
    printf("%-12s %-11s thin %2u cells %2u  cover %5.1f %%  width of the true one %4.2f  false alarms %4.1f %%%s\n",
           load->name, interval_policies[policy]->name, factor, cells, 100 * cover, width / root, 100 * alarms,
           fails ? ": FAILED" : "");
    return fails;
}

static bool judge(const struct load *load, enum interval_policy policy, uint32_t factor, unsigned runs)
{
    struct sums s = {.told = 0};

    for (unsigned i = 1; i <= runs; i++)
        add(&s, &(struct sampler_request){
            .load = load, .policy = policy, .rate = WORLD_RATE, .seed = i, .world = i,
        }, factor);
    return report(&s, load, policy, factor, runs);
}

int main(int argc, char **argv)
{
    static const enum interval_policy policies[] = {INTERVAL_STRATIFIED, INTERVAL_RANDOM, INTERVAL_EXPONENTIAL};
    const unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 200;
    int failures = 0;

    if (runs == 0 || argc > 2) {
        fprintf(stderr, "usage: simulate_thinned [RUNS]\n");
        return 2;
    }
    for (size_t l = 0; l < sizeof loads / sizeof loads[0]; l++)
        for (size_t p = 0; p < sizeof policies / sizeof policies[0]; p++)
            for (size_t f = 0; f < sizeof factors / sizeof factors[0]; f++)
                failures += judge(load_named(loads[l]), policies[p], factors[f], runs);
    return failures != 0;
}
