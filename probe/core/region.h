/* SPDX-License-Identifier: MIT */
/*
 * The region monitor: hits of one task in one mode, by address, in 512 slots of
 * 2^n bytes.  Crowe, "Single process CPU usage monitoring".
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/mode.h"

#define REGION_SLOTS 512 /* the paper's */
#define REGIONS_MAX  8

/* Places after the slots: every sample has a place, and the places add up to all samples. */
enum {
    REGION_BELOW = REGION_SLOTS, /* the task in the mode, below the region */
    REGION_ABOVE,                /* the same, above it */
    REGION_ELSEWHERE,            /* another task or mode, or late */
    REGION_PLACES
};

/* What is asked of a region. */
struct region_request {
    uint32_t task; /* row id, or ROW_ANY */
    enum mode mode;
    uint64_t low, high; /* low < high: [low, high) */
};

/* The caller owns the memory; all that a tick needs is computed by region_init(). */
struct region {
    uint64_t low, length; /* counted: pc - low < length */
    uint64_t base;        /* where slot 0 begins, a multiple of the slot's size, <= low */
    uint32_t shift;       /* a slot is 2^shift bytes */
    uint32_t task_mask, task_bits; /* of the id: (id & mask) == bits */
    enum mode mode;
    uint32_t last;                 /* place of the sample before */
    uint64_t changes_active;       /* pairs with exactly one sample of the task in the mode */
    uint64_t hits[REGION_PLACES];
    uint64_t changes[REGION_PLACES]; /* pairs with exactly one of their two samples here */
};

/*
 * Begin from nothing.  A slot is the smallest power of two with which 512 of
 * them, the first on a multiple of its size, reach from low to high (the paper:
 * "adjusted up to the nearest power of two").  Task context, no tick can come.
 */
void region_init(struct region *r, const struct region_request *request);

/*
 * Count one sample.  `late`: it is counted as elsewhere.  `pair`: it makes a
 * pair with the sample before.  Interrupt context: compares, shifts and increments.
 */
void region_tick(struct region *r, const struct sample *s, bool late, bool pair);

/* Samples of the task in the mode, wherever. */
uint64_t region_active(const struct region *r);
