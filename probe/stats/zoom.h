/* SPDX-License-Identifier: MIT */
/*
 * The paper's automatic zoom: which addresses are looked at next, "until an address
 * range with CPU usage in both the highest and lowest bucket is found" (Crowe, "CPU
 * Probes"), and from there to the hottest function and to its hottest slot.  It takes
 * no sample and prints nothing: the image, `cpuprobe zoom` and `cpuprobe histogram
 * --zoom` do that.  Task and host context: floating point.
 */
#ifndef PROBE_STATS_ZOOM_H
#define PROBE_STATS_ZOOM_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/region.h"

#define ZOOM_NAME  256 /* bytes of a function's name, the zero included; a longer one is cut */
#define ZOOM_STEPS 64  /* at most: more than 64 bits of address can need */

enum zoom_goal {
    ZOOM_TO_SHARE,       /* the smallest addresses that keep the hits that are asked for */
    ZOOM_TO_FUNCTION,
    ZOOM_TO_INSTRUCTION, /* a slot of one byte in the hottest function */
};

/* How the addresses of a step were found. */
enum zoom_how {
    ZOOM_BEGUN,
    ZOOM_NARROWED,    /* fewer slots of the step before */
    ZOOM_SHARED,      /* the slots of several functions that are the hottest together */
    ZOOM_AT_FUNCTION, /* struct zoom's function */
    ZOOM_AT_SLOT,     /* the hottest slot of it */
};

struct zoom_function {
    uint64_t start, end;    /* [start, end) */
    uint64_t hits, samples; /* its hits, of all samples of the window; hits 0: not known */
    char name[ZOOM_NAME];
};

/* The slots of a window, and the addresses that it was asked for. */
struct zoom_slots {
    const uint64_t *hits; /* REGION_SLOTS */
    uint64_t base;        /* where slot 0 begins */
    uint32_t shift;
    uint64_t low, high;   /* [low, high) */
};

/* Who has the hits of a window. */
struct zoom_hottest {
    struct zoom_function function; /* the hottest one, or several as one where they share slots */
    bool shared;                   /* some of its hits may be another function's */
    uint64_t low, high;            /* the slots that it has */
    struct zoom_function unshared; /* where `shared`: the hottest with slots of its own; hits 0: none */
};

struct zoom_window {
    struct zoom_slots slots;
    uint64_t hits;  /* in its addresses */
    uint64_t least; /* that must stay when it is narrowed */
    bool (*hottest)(void *context, struct zoom_hottest *to); /* false: no code is known there */
    void *context;
};

struct zoom {
    enum zoom_goal goal;
    bool exact;           /* a window knows single addresses, and the next one costs no time */
    unsigned step;        /* number of the window that is to be looked at, from 1 */
    uint64_t low, high;   /* its addresses, [low, high) */
    enum zoom_how how;
    bool shared;          /* ZOOM_AT_FUNCTION: several functions that no slot tells apart */
    struct zoom_function function; /* of ZOOM_SHARED and ZOOM_AT_FUNCTION */
    struct zoom_function rival;    /* the hottest one that was passed by for slots that several share */
};

/* The first step looks at [low, high).  Not exact. */
void zoom_begin(struct zoom *z, enum zoom_goal goal, uint64_t low, uint64_t high);

/* What the window of this step says of the next one: false where this was the last. */
bool zoom_next(struct zoom *z, const struct zoom_window *w);

/* Set a function's name, cut to fit. */
void zoom_name(struct zoom_function *f, const char *name);

/*
 * The slots that stay: from the first with hits to the last, less those at either
 * end, the emptier first, as long as `least` hits stay.  False where that is no less
 * than before; else *low and *high are the addresses of these.
 */
bool zoom_narrow(const struct zoom_slots *s, uint64_t least, uint64_t *low, uint64_t *high);

#endif
