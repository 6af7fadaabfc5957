/* SPDX-License-Identifier: MIT */
/*
 * A recorded world: what a booted image did when nobody looked, from its log of
 * changes of cell (account=log) without the monitor's time.  Time is tau.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/host/score.h"
#include "tools/model/stream_model.h"

#define MASKED_CELL 0 /* all masked time; cells of tasks from 1 */

/* What goes on up to `end`, clock units since the window began. */
struct segment {
    uint64_t end;
    uint32_t cell; /* as if interrupts were on */
    bool masked;
};

struct recorded_cell {
    uint32_t id;
    enum mode mode;
};

struct recorded {
    struct segment *segment; /* one at least */
    size_t segments;
    bool apart;              /* while it is made: a cell that took no time came since the last segment */
    uint64_t length;         /* clock units: tau */
    struct recorded_cell cell[CELLS_MAX];
    unsigned cells;
    uint64_t *tick;          /* where in tau a tick's handler began; one a piece of a chained interval */
    uint64_t *handled;       /* time of the handlers before each, and at [ticks] of all, clock units */
    size_t ticks;
    uint64_t late, halt_late; /* lateness above these is late; less the floor */
    uint32_t *bucket;        /* first segment that ends past n * grain */
    uint64_t grain;
    uint64_t *sum;           /* time of each cell before the segment bucket[n], CELLS_MAX a bucket */
};

/*
 * From an epoch with a whole log, the only one of the dump at `path`;
 * false, with a sentence on standard error, where it has none.
 */
bool recorded_from(struct recorded *w, const struct epoch *e, const char *path);
void recorded_free(struct recorded *w);

/* The segment that `at` (below length) falls in. */
size_t recorded_find(const struct recorded *w, uint64_t at);

/* Add the time of each cell from the window's begin to `at`, at most length. */
void recorded_time(const struct recorded *w, uint64_t at, uint64_t time[CELLS_MAX]);

/*
 * The sample of a tick that expires at `at`: its cell; `at` is moved on to where it is
 * taken, past what masks it, and at most to the end of the world.
 */
unsigned recorded_sample(const struct recorded *w, uint64_t *at);

/* A dump with a recorded world, and what its HELLO says of the sampler. */
struct machine {
    struct recorded world;
    struct model model;
    const struct epoch *epoch;
    /*
     * clock units in a unit of the schedule, whose points are fixed in clock time; 0: intervals begin in the handler
     */
    uint64_t unit;
    uint64_t rearm; /* without points: from the arming to the end of the handler, clock units: no part of tau */
    uint64_t handler; /* mean time of a handler, clock units: no part of tau either */
};

/* As recorded_from(), of the only epoch of a dump; a dump that cannot be read ends the program. */
bool machine_from(struct machine *m, const char *path);
void machine_free(struct machine *m);
