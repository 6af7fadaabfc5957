/* SPDX-License-Identifier: MIT */
/*
 * The samplers of a run: one, or two at the same time (tick=A,B).  Each has a source, a probe
 * and a schedule of its own.  Also what was measured of the first one's tick.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/measure/access_cost.h"
#include "kernel/source/calibrate.h"
#include "kernel/source/source.h"
#include "probe/config/config.h"
#include "probe/core/probe.h"

#define SAMPLERS 2 /* at most */

extern const struct source *tick_source; /* in force; set while no tick can come */
extern const struct source *tick_source2; /* the second of two, NULL: there is none; likewise */
extern struct probe probe, probe2; /* of each; the tick's, but for what probe/core/probe.h gives the task */

/* Once, before anything is measured. */
void sampler_give_memory(void);

/* What the handler of a tick costs, and how soon after it the next tick can come. */
struct handler_cost {
    uint64_t handler;   /* clock units, expiry to the end of IRETQ */
    uint64_t lead;      /* clock units, expiry to the arming of the next interval */
    uint64_t exit;      /* clock units, from the reading of the clock before the arming to the end of IRETQ */
    uint64_t walk;      /* clock units, what stack= adds at most when that is done; 0: without it */
    /* clock units that a tick takes of the code that it interrupts, its entry and IRETQ included; the median */
    uint64_t tick;
    /* what ticks take of the time at the rate in force, thousandths of a percent; set once the source is chosen */
    uint32_t share;
    uint32_t minimum;   /* the shortest interval, counts of the source; set once the source is chosen */
};

/* What was measured of the first sampler's tick, and is in force; set while no tick can come. */
struct tick_facts {
    struct calibration calibration;
    struct access_cost access;
    struct handler_cost cost;
    struct source_facts source; /* of tick_source; mean 0: no ticks */
    bool ticks;                 /* false: tick=none */
};
extern struct tick_facts tick_facts;

/* A source in force and what belongs to it. */
struct sampler {
    struct probe *probe;
    const struct source *source; /* NULL: tick=none */
    const struct config *config; /* the configuration by which it would tick so alone */
    const struct source_facts *facts;
    uint64_t seed;
    const struct handler_cost *cost; /* of its own tick */
    uint64_t epoch;              /* identifier of its records in the stream */
};

/* The number of samplers, 1 with tick=none too; and each of them, from 0.  Once they are in force.  Any context. */
unsigned samplers(void);
struct sampler sampler_at(unsigned number);

/*
 * What the ticks of all took since they began, by what a handler takes, clock units: without the copies of
 * sampler_at(), because each halt of IDLE reads it.  Any context.
 */
uint64_t samplers_handler_time(void);

/* The seed of the first one, not 0: given, or drawn at the start.  Any context; set while no tick can come. */
uint64_t sampler_seed(void);
void sampler_set_seed(uint64_t seed);

/* Whether this source is one of those in force.  Any context. */
bool sampler_has(const struct source *s);

/*
 * Set the second sampler; `wrapped` are the two sources in force without their wrappers
 * (kernel/tick/tick_plan.h).  `source` and `epoch` of `second` are unused.  While no tick can come.
 */
void sampler_set_second(const struct sampler *second, const struct source *const wrapped[SAMPLERS]);
