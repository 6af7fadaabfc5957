/* SPDX-License-Identifier: MIT */
/*
 * The paper's automatic zoom: it chooses the next address range "until an address
 * range with CPU usage in both the highest and lowest bucket is found" (Crowe, "CPU
 * Probes"), then the hottest function and its hottest slot.  It takes no sample and
 * prints nothing: the image, `cpuprobe zoom` and `cpuprobe histogram --zoom` do that.
 * Task and host context: floating point.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/region.h"

#define ZOOM_NAME  256 /* bytes of a function's name, the zero included; a longer one is cut */
#define ZOOM_STEPS 64  /* largest number of steps: more than addresses of 64 bits need */

enum zoom_goal {
    ZOOM_TO_SHARE,       /* the smallest range that keeps the requested part of the hits */
    ZOOM_TO_FUNCTION,
    ZOOM_TO_INSTRUCTION, /* a slot of one byte in the hottest function */
};

/* How the addresses of a step were found. */
enum zoom_how {
    ZOOM_BEGUN,
    ZOOM_NARROWED,    /* fewer slots of the step before */
    ZOOM_SHARED,      /* slots that several functions share, together the hottest */
    ZOOM_AT_FUNCTION, /* the function in struct zoom */
    ZOOM_AT_SLOT,     /* the hottest slot of that function */
};

struct zoom_function {
    uint64_t start, end;    /* [start, end) */
    uint64_t hits, samples; /* its hits, of all samples of the window; hits 0: not known */
    char name[ZOOM_NAME];
};

/* The slots of a window, and its requested addresses. */
struct zoom_slots {
    const uint64_t *hits; /* REGION_SLOTS */
    uint64_t base;        /* where slot 0 begins */
    uint32_t shift;
    uint64_t low, high;   /* [low, high) */
};

/* The function that has most hits of a window. */
struct zoom_hottest {
    struct zoom_function function; /* the hottest one; functions that share slots count as one */
    bool shared;                   /* some of its hits may belong to another function */
    uint64_t low, high;            /* addresses of its slots */
    struct zoom_function unshared; /* if `shared`: the hottest that shares no slot; hits 0: none */
};

struct zoom_window {
    struct zoom_slots slots;
    uint64_t hits;  /* within its addresses */
    uint64_t least; /* hits that a narrower range must keep */
    bool (*hottest)(void *context, struct zoom_hottest *to); /* false: no function is known there */
    void *context;
};

struct zoom {
    enum zoom_goal goal;
    bool exact;           /* windows resolve single addresses, and another window costs no time */
    unsigned step;        /* number of the window to be sampled, from 1 */
    uint64_t low, high;   /* its addresses, [low, high) */
    enum zoom_how how;
    bool shared;          /* ZOOM_AT_FUNCTION: several functions in the same slots */
    struct zoom_function function; /* for ZOOM_SHARED and ZOOM_AT_FUNCTION */
    struct zoom_function rival;    /* the hottest unshared function, kept while shared slots are examined */
};

/* Begin with the addresses [low, high).  Clears `exact`. */
void zoom_begin(struct zoom *z, enum zoom_goal goal, uint64_t low, uint64_t high);

/* Choose the next step from the window of this one; false if this one was the last. */
bool zoom_next(struct zoom *z, const struct zoom_window *w);

/* Set a function's name, cut to fit. */
void zoom_name(struct zoom_function *f, const char *name);

/*
 * Narrow to the slots from the first with hits to the last with hits; then drop slots
 * at either end, the one with fewer hits first, as long as `least` hits stay.  False if
 * the range does not become smaller; else *low and *high are its new addresses.
 */
bool zoom_narrow(const struct zoom_slots *s, uint64_t least, uint64_t *low, uint64_t *high);
