/* SPDX-License-Identifier: MIT */
/*
 * A profile as gprof reads it: the histogram of a gmon.out file (GNU gprof, "Profiling Data File Format"; the
 * histogram is 4.4BSD's).  It has no arcs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/analysis/profile.h"
#include "tools/records/profil_records.h"

#define GMON_COUNTERS_MAX ((size_t)1 << 22) /* 8 MiB of code at two bytes a counter */

struct gmon {
    uint64_t low, high; /* [low, high) is divided among the counters */
    uint16_t *count;
    size_t counts;
    uint32_t rate;      /* ticks a second */
    uint64_t cut;       /* ticks above what a counter holds */
};

/* From the profile that a task kept.  False, with a message, where its scale gives no such histogram. */
bool gmon_of_profil(struct gmon *g, const struct profil_record *from, uint32_t rate);

/* From raw samples or a region: two bytes of code a counter.  False, with a message, where that is too much code. */
bool gmon_of_profile(struct gmon *g, const struct profile *from, uint32_t rate);

void gmon_free(struct gmon *g);

/* Write the file.  False: it failed. */
bool gmon_write(const struct gmon *g, FILE *out);
