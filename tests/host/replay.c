/* SPDX-License-Identifier: MIT */
/*
 * The policies of the interval over a recorded world: the image's own files draw the
 * ticks, and its log of changes (account=log) says what each would have found.
 *
 *     replay DUMP [SEEDS [SAMPLES]]            default 1000 12000
 *     replay --growth DUMP [SEEDS [SAMPLES]]   default 1000 1000000, the most
 *
 * Without an option a line for each policy: policy, bias of the cell where it is worst
 * and its standard error, the largest standard error of any cell, design effect of what
 * happened and as the image prints it, cover of Wilson's plain interval and of the printed
 * one, of the worst cell, mean width over 3.92 standard deviations of the error.  n.a.
 * where there is none.
 *
 * --growth: a line for each policy and number of samples, from 1000 on: root mean square
 * of the error over all cells, points, its standard error, seeds.  Then `exponent`: the
 * power of the number of samples by which it grows, and its standard error.
 *
 * The world is as it was: a run begins where its window began, whatever the seed, so that
 * nothing but what is drawn differs, and goes on at the begin where the world ends.
 * Counted are cells that expect 20 hits or more.
 *
 * Where the dump's points are fixed in clock time the replayed ones are, too: each handler takes the mean of those in
 * the log, in which the world stands still; a point in one is dropped, and all points of a wait are counted.  The
 * sample that ends a run is not one of it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/schedule/schedule.h"
#include "probe/estimate/confidence.h"
#include "tests/host/recorded.h"
#include "tests/host/score.h"

/* A policy by its word and, for `random`, its width. */
struct way {
    const char *name;
    enum interval_policy policy;
    uint32_t spread; /* thousandths of T */
};

static const struct way ways[] = {
    {"narrow", INTERVAL_NARROW, 2000},     {"U(0.9T,1.1T)", INTERVAL_RANDOM, 200},
    {"random", INTERVAL_RANDOM, 2000},     {"stratified", INTERVAL_STRATIFIED, 2000},
    {"exponential", INTERVAL_EXPONENTIAL, 2000},
};

#define WAYS    (sizeof ways / sizeof ways[0])
#define GROWTH  2     /* ways from here on get better with more samples, whatever the load */
#define FEWEST  1000  /* samples */
#define DECADES 4     /* of samples at most */

/* A schedule that looks at it.  Times are clock units in 48.16, but for: */
struct sampler {
    const struct machine *machine;
    struct schedule schedule;
    uint64_t now, turns; /* turns: how often it came to the world's end */
    uint64_t stood;  /* handlers so far, clock units, as the next two */
    uint64_t waited; /* points up to here find what the last tick waited for */
    uint64_t busy;   /* the last handler ends */
    unsigned before;
    bool pair;       /* the last sample and the one before */
};

static void lay_down(struct schedule *s, const struct machine *m, const struct way *way, uint32_t seed)
{
    const struct schedule_request request = {
        .policy = way->policy, .mean = m->epoch->hello.mean, .minimum = (uint32_t)m->epoch->hello.minimum,
        .spread = way->spread, .seed = seed,
    };
    const char *why = schedule_init(s, &request);

    if (why) {
        fprintf(stderr, "replay: %s: %s\n", way->name, why);
        exit(1);
    }
}

/* Move `now`, which may be past the world's end. */
static void go_to(struct sampler *a, uint64_t now)
{
    const uint64_t length = a->machine->world.length << 16;

    a->turns += now / length;
    a->now = now % length;
}

/* The next tick of intervals that begin in the handler, and the cell of its sample. */
static unsigned step_relative(struct sampler *a)
{
    const struct machine *m = a->machine;
    uint64_t at;
    unsigned cell;

    go_to(a, a->now + schedule_next(&a->schedule) * m->epoch->hello.source_clock - (m->rearm << 16));
    a->pair = a->schedule.pair;
    at = a->now >> 16;
    cell = recorded_sample(&m->world, &at);
    if (at != a->now >> 16)
        a->now = at << 16;
    return cell;
}

/* The next point that is not in a handler, clock units. */
static uint64_t next_point(struct sampler *a)
{
    const bool strata = a->schedule.policy->pairing == PAIR_STRATUM;
    bool dropped = false;
    uint64_t point;

    do {
        schedule_next(&a->schedule);
        point = a->schedule.sum * a->machine->unit;
        a->pair = a->schedule.pair && !dropped;
        dropped = strata;
    } while (point > a->waited && point < a->busy);
    return point;
}

/* The cell of the next point's sample. */
static unsigned step_to_point(struct sampler *a)
{
    const struct machine *m = a->machine;
    const uint64_t point = next_point(a);
    const bool waits = point <= a->waited;
    const uint64_t stood = a->stood - (waits ? m->handler : 0); /* the handler is at the end of the wait */
    uint64_t at, begun;
    unsigned cell;

    a->now = 0;
    a->turns = 0;
    go_to(a, (point - stood) << 16);
    if (waits)
        return MASKED_CELL;
    begun = at = a->now >> 16;
    cell = recorded_sample(&m->world, &at);
    if (cell == MASKED_CELL)
        a->waited = point + (at - begun);
    a->busy = point + (at - begun) + m->handler;
    a->stood += m->handler;
    return cell;
}

static unsigned step(struct sampler *a)
{
    return a->machine->unit ? step_to_point(a) : step_relative(a);
}

static void tell_time(struct run *r, const struct sampler *a)
{
    const struct recorded *w = &a->machine->world;
    uint64_t part[CELLS_MAX] = {0}, whole[CELLS_MAX] = {0};

    recorded_time(w, a->now >> 16, part);
    recorded_time(w, w->length, whole);
    r->window = 0;
    for (unsigned c = 0; c < w->cells; c++) {
        r->time[c] = a->turns * whole[c] + part[c];
        r->window += r->time[c];
    }
}

static void sample(struct run *r, struct sampler *a, uint64_t samples)
{
    memset(r, 0, sizeof *r);
    for (uint64_t i = 0; i < samples; i++) {
        const unsigned cell = step(a);

        r->hits[cell]++;
        if (a->pair && cell != a->before) {
            r->changes[cell]++;
            r->changes[a->before]++;
        }
        a->before = cell;
    }
    if (a->machine->unit)
        step(a);
    tell_time(r, a);
}

/* Beside what all count: Wilson's plain interval, and the design effect that is printed. */
struct more {
    double deff;
    unsigned plain;
};

static void score_more(struct more *more, const struct run *r, const struct estimator *e, unsigned c,
                       uint64_t samples)
{
    const struct tally t = {r->hits[c], samples, r->changes[c]};
    const struct confidence plain = confidence_wilson(&t, LEVEL_95);
    const double truth = (double)r->time[c] / (double)r->window;

    more->plain += truth >= plain.low && truth <= plain.high;
    if (!e->reason)
        more->deff += confidence_deff(e, &t);
}

/* What a line says, over the cells that count. */
struct line {
    double bias, error, most, deff, formula, plain, cover, worst, width;
    unsigned cells;
};

static void add_cell(struct line *l, const struct score *s, const struct more *more, unsigned seeds, uint64_t samples)
{
    const double p = s->truth / seeds, mean = s->error / seeds, square = s->square / seeds;
    const double error = sqrt(fmax(square - mean * mean, 0) / seeds), cover = (double)s->covered / seeds;

    l->cells++;
    if (fabs(mean) >= fabs(l->bias)) {
        l->bias = mean;
        l->error = error;
    }
    l->most = fmax(l->most, error);
    l->deff += square / (p * (1 - p) / (double)samples);
    l->formula += more->deff / seeds;
    l->plain += (double)more->plain / seeds;
    l->cover += cover;
    l->worst = fmin(l->worst, cover);
    l->width += 2 * s->width / seeds / (3.92 * sqrt(square));
}

static void print_line(const char *name, const struct line *l, bool interval)
{
    printf("%s %+.4f %.4f %.4f %.3f", name, 100 * l->bias, 100 * l->error, 100 * l->most, l->deff / l->cells);
    if (interval)
        printf(" %.3f %.2f %.2f %.2f %.3f\n", l->formula / l->cells, 100 * l->plain / l->cells,
               100 * l->cover / l->cells, 100 * l->worst, l->width / l->cells);
    else
        printf(" n.a. %.2f n.a. n.a. n.a.\n", 100 * l->plain / l->cells);
}

/* Runs of all seeds; which cells count is in `line`. */
static struct line run_seeds(const struct machine *m, const struct way *way, unsigned seeds, uint64_t samples,
                             bool *interval)
{
    struct score score[CELLS_MAX] = {0};
    struct more more[CELLS_MAX] = {0};
    struct line line = {.worst = 1};

    for (unsigned seed = 1; seed <= seeds; seed++) {
        struct sampler a;
        struct estimator e;
        struct run r;

        a = (struct sampler){.machine = m, .before = CELLS_MAX};
        lay_down(&a.schedule, m, way, seed);
        e = estimator_of(a.schedule.policy, a.schedule.spread, confidence_cv2(&a.schedule));
        *interval = !e.reason;
        sample(&r, &a, samples);
        for (unsigned c = 0; c < m->world.cells; c++) {
            score_cell(&score[c], &r, &e, c, samples);
            score_more(&more[c], &r, &e, c, samples);
        }
    }
    for (unsigned c = 0; c < m->world.cells; c++)
        if (score[c].truth / seeds * (double)samples >= EXPECTED)
            add_cell(&line, &score[c], &more[c], seeds, samples);
    return line;
}

static void report(const struct machine *m, unsigned seeds, uint64_t samples)
{
    for (size_t i = 0; i < WAYS; i++) {
        bool interval;
        const struct line line = run_seeds(m, &ways[i], seeds, samples, &interval);

        print_line(ways[i].name, &line, interval);
    }
}

/* The squared error of many runs, its mean and what that is known to. */
struct spread {
    uint64_t samples;
    unsigned seeds;
    double mean, error;
};

/* Of all cells that expect 20 hits of the fewest samples, so that all lines have the same. */
static double square_of(const struct machine *m, const struct way *way, unsigned seed, uint64_t samples)
{
    struct sampler a = {.machine = m, .before = CELLS_MAX};
    double square = 0;
    struct run r;

    lay_down(&a.schedule, m, way, seed);
    sample(&r, &a, samples);
    for (unsigned c = 0; c < m->world.cells; c++) {
        const double truth = (double)r.time[c] / (double)r.window,
                     error = (double)r.hits[c] / (double)samples - truth;

        if (truth * FEWEST >= EXPECTED)
            square += error * error;
    }
    return square;
}

/* No seed is in two of them: they err independently of each other. */
static void measure(struct spread *s, const struct machine *m, const struct way *way, unsigned first)
{
    double sum = 0, squares = 0;

    for (unsigned seed = first; seed < first + s->seeds; seed++) {
        const double square = square_of(m, way, seed, s->samples);

        sum += square;
        squares += square * square;
    }
    s->mean = sum / s->seeds;
    s->error = sqrt(fmax(squares / s->seeds - s->mean * s->mean, 0) / s->seeds);
    printf("%s %" PRIu64 " %.5f %.5f %u\n", way->name, s->samples, 100 * sqrt(s->mean),
           100 * s->error / (2 * sqrt(s->mean)), s->seeds);
}

/* A straight line through the logarithms, each weighted by what it is known to. */
static void fit(const char *name, const struct spread *s, unsigned count)
{
    double weight = 0, x = 0, y = 0, xx = 0, xy = 0;

    for (unsigned i = 0; i < count; i++) {
        const double w = pow(2 * s[i].mean / s[i].error, 2);

        weight += w;
        x += w * log((double)s[i].samples);
        y += w * log(s[i].mean) / 2;
    }
    for (unsigned i = 0; i < count; i++) {
        const double w = pow(2 * s[i].mean / s[i].error, 2), off = log((double)s[i].samples) - x / weight;

        xx += w * off * off;
        xy += w * off * (log(s[i].mean) / 2 - y / weight);
    }
    printf("exponent %s %.4f %.4f\n", name, xy / xx, 1 / sqrt(xx));
}

static unsigned seeds_for(unsigned seeds, uint64_t samples)
{
    const unsigned part = samples > 100000 ? 10 : samples > 10000 ? 5 : 1;

    return (seeds + part - 1) / part;
}

/* Ten times the samples each; from a hundred thousand of them on a fifth of the seeds, then a tenth. */
static void growth(const struct machine *m, unsigned seeds, uint64_t most)
{
    for (size_t i = GROWTH; i < WAYS; i++) {
        struct spread s[DECADES];
        unsigned count = 0, first = 1;

        for (uint64_t samples = FEWEST; samples <= most && count < DECADES; samples *= 10, count++) {
            s[count] = (struct spread){samples, seeds_for(seeds, samples), 0, 0};
            measure(&s[count], m, &ways[i], first);
            first += s[count].seeds;
        }
        fit(ways[i].name, s, count);
    }
}

int main(int argc, char **argv)
{
    const bool grows = argc > 1 && strcmp(argv[1], "--growth") == 0;
    char **rest = argv + 1 + grows;
    const int left = argc - 1 - grows;
    const unsigned seeds = left > 1 ? (unsigned)strtoul(rest[1], NULL, 10) : 1000;
    const uint64_t samples = left > 2 ? strtoull(rest[2], NULL, 10) : grows ? 1000000 : 12000;
    static struct machine m;

    if (left < 1 || left > 3 || !seeds || !samples || strncmp(rest[0], "--", 2) == 0 ||
        (grows && samples < 10 * FEWEST)) {
        fprintf(stderr, "usage: replay DUMP [SEEDS [SAMPLES]] | replay --growth DUMP [SEEDS [SAMPLES]]\n");
        return 2;
    }
    if (!machine_from(&m, rest[0]))
        return 1;
    if (grows)
        growth(&m, seeds, samples);
    else
        report(&m, seeds, samples);
    machine_free(&m);
    return 0;
}
