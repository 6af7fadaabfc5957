/* SPDX-License-Identifier: MIT */
/* Two moments of a run, between which a report takes differences: its options --from and --to. */
#pragma once

#include "tools/base/option_rows.h"

/* Seconds of the run; 0: not given. */
struct moments {
    double from, to;
};

/* The input is a struct moments.  A command line whose --from is not before its --to is refused. */
extern const struct option_set moments_options;

/* A moment in clock units, of a run that began at `begin` at `hz` a second; `otherwise` where it was not given. */
uint64_t moments_clock(double seconds, uint64_t begin, uint64_t hz, uint64_t otherwise);
