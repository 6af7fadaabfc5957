/* SPDX-License-Identifier: MIT */
/*
 * A synthetic load for the tests and the measuring of raw samples: the tasks of
 * the paper's figure 3 with two addresses in each cell, ROGUE's user mode by its
 * figure 5, ticks by the real schedule with a handler that is never equally long; or points in clock time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/stream/sample_encode.h"
#include "probe/text/radix50.h"

#define LOAD_CLOCK_HZ 1000000000u
#define LOAD_PIT_HZ   1193182u
#define LOAD_CLOCK    54925400u /* clock units in 65536 counts */
#define LOAD_FLOOR    200u      /* clock units: lateness of every tick */
#define LOAD_HANDLER  3000u     /* shortest handler */
#define LOAD_JITTER   1500u     /* longest one less the shortest */
#define LOAD_LATE     100u      /* one tick in so many is late */
#define LOAD_LATENESS 200000u   /* by less than this */

/* Tenths of a percent, kernel, supervisor, user: tests/golden/figure3.csv. */
static const struct load_share {
    const char *task;
    uint16_t share[3]; /* user, supervisor, kernel */
} load_shares[] = {
    {"...LDR", {1, 0, 1}},    {"AM", {1, 0, 1}},       {"AMXM", {0, 0, 1}},
    {"AU", {1, 1, 3}},        {"CAE", {1, 0, 8}},      {"CAN", {2, 1, 7}},
    {"CN", {1, 0, 9}},        {"CP", {28, 17, 30}},    {"CRT", {1, 1, 3}},
    {"CSIT1", {15, 4, 12}},   {"CS2T1", {7, 2, 5}},    {"CS3T1", {34, 5, 25}},
    {"CS4T1", {13, 3, 13}},   {"CS5T1", {14, 4, 14}},  {"CS6T1", {17, 4, 17}},
    {"ROGUE", {78, 0, 354}},  {"DS", {18, 3, 18}},     {"DT", {4, 2, 5}},
    {"F11ACP", {0, 0, 1}},    {"FTSIDE", {0, 0, 1}},   {"IDLE", {0, 0, 28}},
    {"IN", {0, 1, 2}},        {"INSV1", {0, 0, 2}},    {"JTCHK", {0, 0, 1}},
    {"JTRCV", {2, 3, 13}},    {"JTSEND", {9, 18, 49}}, {"LKM", {5, 2, 13}},
    {"MCR...", {0, 0, 1}},    {"OUTT1", {0, 0, 4}},    {"PATV1", {0, 0, 1}},
    {"RUNV1", {0, 0, 1}},     {"SM", {20, 3, 8}},      {"TCDLM", {2, 0, 0}},
    {"TM", {1, 0, 3}},        {"XM", {2, 0, 2}},
};
#define LOAD_TASKS (sizeof(load_shares) / sizeof(load_shares[0]))
#define LOAD_ROGUE 15

/* Figure 5, by slot of 16 bytes; two addresses in each. */
static const struct load_slot {
    uint16_t address, hits;
} load_slots[] = {
    {025200, 17},  {025220, 27},  {025240, 29},  {025260, 86},  {025300, 164}, {025320, 93},
    {025340, 194}, {025360, 85},  {025400, 40},  {032140, 47},  {032160, 17},  {032200, 25},
    {032260, 26},  {032300, 141}, {032320, 22},  {032440, 44},  {033340, 186}, {033360, 35},
    {033400, 23},  {033420, 41},  {033440, 71},  {033460, 55},  {033500, 27},  {033520, 47},
    {033600, 54},  {042400, 113}, {042420, 222}, {042440, 57},  {042460, 724},
};
#define LOAD_SLOTS (sizeof(load_slots) / sizeof(load_slots[0]))

struct load {
    struct sample_setting setting;
    struct schedule schedule;
    uint64_t arming; /* clock, in 2^-16 */
    uint64_t tick;
    uint64_t random; /* state of SplitMix64 */
};

static inline uint64_t load_below(struct load *l, uint64_t width)
{
    uint64_t x = l->random += 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return ((x ^ x >> 31) >> 32) * width >> 32;
}

static inline void load_begin(struct load *l, enum interval_policy policy, enum rng rng, unsigned rate,
                              uint32_t thin, uint64_t stamp, uint32_t seed)
{
    const struct schedule_request request = {
        .policy = policy, .rng = rng, .mean = ((uint64_t)LOAD_PIT_HZ << 16) / rate, .minimum = 20,
        .spread = 2000, .seed = seed,
    };
    const char *refusal;

    memset(l, 0, sizeof(*l));
    refusal = schedule_init(&l->setting.schedule, &request);
    if (refusal) {
        fprintf(stderr, "%s: %s\n", interval_policies[policy]->name, refusal);
        abort();
    }
    l->setting.source_clock = LOAD_CLOCK;
    l->setting.handler = LOAD_FLOOR + LOAD_HANDLER + LOAD_JITTER / 2;
    l->setting.stamp = stamp;
    l->setting.thin = thin;
    l->setting.seed = seed;
    l->schedule = l->setting.schedule;
    l->arming = (uint64_t)5000000 << 16;
    l->random = seed;
}

/* What the tick sees: cell by cell independent, the least that can be said for a code. */
static inline void load_place(struct load *l, struct sample_record *r)
{
    unsigned sum = 0, task = 0, mode = 0;

    for (unsigned i = 0; i < LOAD_TASKS; i++)
        for (unsigned m = 0; m < 3; m++)
            sum += load_shares[i].share[m];
    sum = (unsigned)load_below(l, sum);
    while (sum >= load_shares[task].share[mode]) {
        sum -= load_shares[task].share[mode++];
        if (mode == 3) {
            mode = 0;
            task++;
        }
    }
    r->task = ROW_IDLE;
    if (strcmp(load_shares[task].task, "IDLE"))
        radix50_pack(load_shares[task].task, &r->task);
    r->mode = (uint8_t)mode;
    r->pc = 0x401000 + 0x1000 * task + 0x100 * mode + 3 * load_below(l, 2);
    if (mode != MODE_USER)
        r->pc |= 0xffffffff80000000;
    if (task != LOAD_ROGUE || mode != MODE_USER)
        return;
    sum = (unsigned)load_below(l, 2712); /* their sum */
    for (task = 0; sum >= load_slots[task].hits; task++)
        sum -= load_slots[task].hits;
    r->pc = load_slots[task].address + 6 * load_below(l, 2);
}

/* ---- points in clock time ---- */

#define LOAD_UNIT 4u /* clock units */

/* As load_begin(), with points. */
static inline void load_begin_points(struct load *l, enum interval_policy policy, enum rng rng, unsigned rate,
                                     uint32_t thin, uint64_t stamp, uint32_t seed)
{
    const struct schedule_request request = {
        .policy = policy, .rng = rng, .mean = ((uint64_t)LOAD_CLOCK_HZ << 16) / rate / LOAD_UNIT, .spread = 2000,
        .seed = seed,
    };

    memset(l, 0, sizeof(*l));
    if (schedule_init(&l->setting.schedule, &request) != NULL)
        abort();
    l->setting.points = true;
    l->setting.source_clock = (uint64_t)LOAD_UNIT << 16;
    l->setting.stamp = stamp;
    l->setting.thin = thin;
    l->setting.seed = seed;
    l->schedule = l->setting.schedule;
    l->random = seed;
}

/* The next point behind `begin`: in time, late, or in a handler. */
static inline struct sample_record load_next_point(struct load *l, uint64_t begin)
{
    struct sample_record r = {.tick = l->tick++, .arrival = SAMPLE_NO_ARRIVAL};

    schedule_next(&l->schedule);
    r.time = begin + l->schedule.sum * LOAD_UNIT;
    switch (load_below(l, 40)) {
    case 0:
        r.delay = DELAY_HANDLER;
        return r;
    case 1: case 2:
        r.delay = r.tick % 2 ? DELAY_MASKED : DELAY_STOLEN;
        r.time += LOAD_FLOOR + load_below(l, LOAD_LATENESS);
        break;
    default:
        r.arrival = (int32_t)load_below(l, 1000) - 800;
        break;
    }
    load_place(l, &r);
    return r;
}

/* ---- ticks ---- */

/* The next tick. */
static inline struct sample_record load_next(struct load *l)
{
    const bool late = load_below(l, LOAD_LATE) == 0;
    struct sample_record r = {.tick = l->tick++, .delay = DELAY_NONE, .arrival = SAMPLE_NO_ARRIVAL};
    uint64_t expiry = l->arming + schedule_next(&l->schedule) * LOAD_CLOCK;

    if (late)
        r.delay = r.tick % 2 ? DELAY_MASKED : DELAY_STOLEN;
    load_place(l, &r);
    r.time = (expiry >> 16) + LOAD_FLOOR + (late ? load_below(l, LOAD_LATENESS) : 0);
    l->arming = (r.time + LOAD_HANDLER + load_below(l, LOAD_JITTER)) << 16;
    return r;
}
