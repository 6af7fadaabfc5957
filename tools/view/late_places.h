/* SPDX-License-Identifier: MIT */
/*
 * Finds who keeps interrupts off, by function, from raw samples.  A maskable tick arrives late, at the
 * instruction after the one that let interrupts on again (row MASKED); a tick as NMI sees the code itself, and
 * whether interrupts were off.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/analysis/breakdown.h"
#include "tools/analysis/profile.h"
#include "tools/symbols/symbol_resolver.h"

struct timeline;

/* The longest time for which one sample after the other found interrupts off in one function: the ticks are NMIs. */
struct masked_streak {
    uint64_t samples;
    uint64_t begin, end; /* times of the first and the last, clock units; 0: not known */
};

struct late_places {
    struct model model;
    struct symbol_resolver naming; /* the caller adds what the user named before late_places_read() */
    struct profile profile;
    struct breakdown rows; /* functions, the most late ticks first */
    uint64_t samples;      /* all; as NMI those that told whether interrupts were off */
    struct late_tick {
        uint64_t time;
        int32_t row;
    } *late;               /* ticks that are not NMIs, in the order of their times */
    size_t lates;
    struct masked_streak *streak; /* by row; the ticks are NMIs */
    struct masked_streak now;     /* while samples are read: the last one of them */
    int32_t now_row;
    bool nmi;              /* the ticks were NMIs */
    bool any;              /* the run has late samples, or NMIs with interrupts off, and profile and rows are made */
};

/* Of each row; `streak` has room for as many. */
void late_places_streaks(const struct late_places *p, struct masked_streak *streak);

/* Read the samples of a timeline's epoch. */
void late_places_read(struct late_places *p, struct timeline *t);

/*
 * The row of the function where a late tick arrived at the end of a stretch that ends at `end`,
 * clock units; SIZE_MAX: none did.
 */
size_t late_places_row(const struct late_places *p, int64_t end);

void late_places_free(struct late_places *p);
