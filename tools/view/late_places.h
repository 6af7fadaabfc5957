/* SPDX-License-Identifier: MIT */
/*
 * Where late ticks arrived (raw samples, row MASKED): at the instruction after the one that let
 * interrupts on again.  By function it names who kept them off.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/analysis/breakdown.h"
#include "tools/analysis/profile.h"
#include "tools/symbols/symbol_resolver.h"
#include "tools/timeline/timeline.h"

struct late_places {
    struct model model;
    struct symbol_resolver naming; /* the caller adds what the user named before late_places_read() */
    struct profile profile;
    struct breakdown rows; /* functions, the most late ticks first */
    uint64_t samples;      /* all */
    bool any;              /* the run has late samples, and profile and rows are made */
};

void late_places_begin(struct late_places *p);

/* Read the samples of a timeline's epoch. */
void late_places_read(struct late_places *p, struct timeline *t);

/* The row of the function where a late tick arrived at the end of a stretch that ends at `end`, clock units; SIZE_MAX: none did. */
size_t late_places_row(const struct late_places *p, int64_t end);

void late_places_free(struct late_places *p);
