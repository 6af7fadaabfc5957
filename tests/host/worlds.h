/* SPDX-License-Identifier: MIT */
/*
 * Known loads for the simulations, and a sampler that looks at one: the real
 * schedule on a simulated PIT, with what it hit beside what was realised in the
 * same window.  Time is tau: the handler has no length.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/schedule/schedule.h"
#include "tests/host/score.h"

#define PIT_HZ        1193182ull
#define WORLD_RATE    120 /* ticks a second that loads in step with the sampler are laid out for */
#define WORLD_MINIMUM 119 /* counts: Bochs is on time from here on */
#define WORLD_HANDLER 20  /* counts */
#define WORLD_CELLS   CELLS_MAX

/* Time is in counts of the PIT, 48.16. */
#define MS(x) ((uint64_t)((x) * 1e-3 * (double)PIT_HZ * 65536))

/* Works `length` of each `period`, from `offset` on; the first in a list goes first. */
struct periodic {
    double period, offset, length; /* ms */
};

/*
 * Either periodic tasks, each a cell, and IDLE; or bursts of exponential length
 * `burst`, each given to a cell with a probability proportional to its weight.
 */
struct load {
    const char *name;
    bool locked; /* to the 10 ms clock: a fixed tick must fail on it */
    bool in_step; /* with T: narrow jitter must fail on it */
    double random_low, random_high; /* coverage of `random`; 0: COVER_LOW, COVER_HIGH */
    unsigned tasks;
    struct periodic periodic[6];
    double burst; /* ms; 0: periodic */
    double weight[WORLD_CELLS];
};

static const struct load worlds[] = {
    /* The 35 totals of the paper's Figure 3 (those that round to 0 as 0.04). */
    {.name = "figure3", .burst = 2, .tasks = 35,
     .weight = {0.1, 0.1, 0.1, 0.4, 0.9,  0.9, 1.0, 7.5, 0.4, 3.1, 1.4, 6.5,
                2.9, 3.2, 3.7, 43.2, 3.9, 1.2, 0.04, 0.1, 2.8, 0.4, 0.2, 0.1,
                1.9, 7.5, 2.0, 0.04, 0.4, 0.04, 0.1, 3.1, 0.2, 0.4, 0.4}},
    /* Runs from just after each clock tick to just before the next. */
    {.name = "hog", .locked = true, .tasks = 1, .periodic = {{10, 0, 9.46}}},
    /* Six tasks that look for work at each clock tick, one after the other. */
    {.name = "pollers", .locked = true, .tasks = 6,
     .periodic = {{10, 0, 1}, {10, 1, 1}, {10, 2, 1}, {10, 3, 1}, {10, 4, 1}, {10, 5, 1}}},
    /* Sleeps of 1, 2, 3, 5 and 7 clock ticks, rounded up to a tick. */
    {.name = "sleepers", .locked = true, .tasks = 5,
     .periodic = {{10, 0, 1.1}, {20, 1.1, 1.7}, {30, 2.8, 2.3}, {50, 5.1, 1.9},
                  {70, 7, 1.3}}},
    /* 22.5 ms from a foreign crystal 100 ppm off, over a task locked to the clock. */
    {.name = "isochronous", .tasks = 2, .periodic = {{22.5 * 1.0001, 0, 4}, {10, 0, 5}},
     .random_low = 0.96, .random_high = 0.99},
    /* In step with the sampler's own mean interval. */
    {.name = "in step", .in_step = true, .tasks = 1, .periodic = {{1000.0 / WORLD_RATE, 0, 2.5}}},
    /* Busy and idle in turns, at the periods where `random` knows its error worst. */
    {.name = "1.6 T", .tasks = 1, .periodic = {{1600.0 / WORLD_RATE, 0, 800.0 / WORLD_RATE}},
     .random_low = 0.89, .random_high = 0.935},
    {.name = "4 T", .tasks = 1, .periodic = {{4000.0 / WORLD_RATE, 0, 2000.0 / WORLD_RATE}},
     .random_low = 0.98, .random_high = 1},
    /* Busy and idle in turns of random length. */
    {.name = "bursts", .burst = 30, .tasks = 2, .weight = {3, 7},
     .random_low = 0.95, .random_high = 0.985},
    /* Phases far longer than the interval. */
    {.name = "phases", .burst = 400, .tasks = 4, .weight = {1, 2, 3, 4}},
};

/* A load that runs: the segment of one cell that ends at `end`. */
struct world {
    const struct load *load;
    uint64_t random;
    uint64_t end;
    unsigned cell;
    uint64_t boundary[6]; /* when the task next begins or ends its work */
    bool active[6];
};

static inline void burst_next(struct world *w)
{
    double total = 0, point;
    unsigned cell = 0;

    for (unsigned i = 0; i < w->load->tasks; i++)
        total += w->load->weight[i];
    point = uniform(&w->random) * total;
    while (cell + 1 < w->load->tasks && point >= w->load->weight[cell])
        point -= w->load->weight[cell++];
    w->cell = cell;
    w->end += MS(-log(uniform(&w->random)) * w->load->burst);
}

static inline void periodic_next(struct world *w)
{
    uint64_t now = w->end;

    w->cell = w->load->tasks; /* IDLE */
    w->end = UINT64_MAX;
    for (unsigned i = w->load->tasks; i-- > 0;) {
        const struct periodic *p = &w->load->periodic[i];

        if (w->boundary[i] == now) {
            w->active[i] = !w->active[i];
            w->boundary[i] += w->active[i] ? MS(p->length) : MS(p->period) - MS(p->length);
        }
        if (w->active[i])
            w->cell = i;
        if (w->boundary[i] < w->end)
            w->end = w->boundary[i];
    }
}

static inline void world_next(struct world *w)
{
    if (w->load->burst > 0)
        burst_next(w);
    else
        periodic_next(w);
}

static inline void world_start(struct world *w, const struct load *load, uint64_t seed)
{
    *w = (struct world){.load = load, .random = seed};
    for (unsigned i = 0; load->burst == 0 && i < load->tasks; i++)
        w->boundary[i] = MS(load->periodic[i].offset);
    world_next(w);
}

/* A schedule that looks at a world. */
struct sampler {
    struct schedule schedule;
    struct world world;
    uint64_t begun, now;
    unsigned before; /* the cell of the last sample */
};

/* The sampler is armed at a random moment: all periods locked to the clock fit 2.1 s. */
static inline void sampler_begin(struct run *r, struct sampler *a)
{
    memset(r, 0, sizeof *r);
    a->begun = a->now = MS(2100 * uniform(&a->world.random));
    a->before = 0;
    while (a->world.end <= a->begun)
        world_next(&a->world);
}

static inline void sampler_tick(struct run *r, struct sampler *a)
{
    struct schedule *s = &a->schedule;
    struct world *w = &a->world;
    uint64_t tick = a->now + (schedule_next(s) << 16);

    while (w->end <= tick) {
        r->time[w->cell] += w->end - a->now;
        a->now = w->end;
        world_next(w);
    }
    r->time[w->cell] += tick - a->now;
    a->now = tick;
    r->hits[w->cell]++;
    if (s->pair && w->cell != a->before) {
        r->changes[w->cell]++;
        r->changes[a->before]++;
    }
    a->before = w->cell;
    r->window = tick - a->begun;
}

static inline void sampler_run(struct run *r, struct sampler *a, uint64_t samples)
{
    for (uint64_t i = 0; i < samples; i++)
        sampler_tick(r, a);
}

/* The window ends with the first tick at `length` or after it; returns the samples. */
static inline uint64_t sampler_run_for(struct run *r, struct sampler *a, uint64_t length)
{
    uint64_t samples = 0;

    for (; a->now - a->begun < length; samples++)
        sampler_tick(r, a);
    return samples;
}

/* What a sampler is made from; equal `world`s see the very same load. */
struct sampler_request {
    const struct load *load;
    enum interval_policy policy;
    unsigned rate; /* ticks a second */
    uint32_t seed; /* of the schedule */
    uint64_t world;
};

static inline void sampler_prepare(struct sampler *a, const struct sampler_request *q)
{
    const struct schedule_request request = {
        .policy = q->policy, .mean = (PIT_HZ << 16) / q->rate, .minimum = WORLD_MINIMUM,
        .handler = WORLD_HANDLER, .spread = 2000, .seed = q->seed,
    };
    const char *refusal = schedule_init(&a->schedule, &request);

    if (refusal) {
        fprintf(stderr, "simulated schedule: %s\n", refusal);
        exit(1);
    }
    world_start(&a->world, q->load, q->world);
}
