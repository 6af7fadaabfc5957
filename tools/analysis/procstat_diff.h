/* SPDX-License-Identifier: MIT */
/*
 * Tells load levels by the tick counters between two of their readings (Stefanov and Gradskov 2016, section 1):
 * the difference of a mode over the sum of the differences of all modes, in 1/100 s as the kernel tells them; and
 * the same difference over the time that passed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stats/tick_usage.h"
#include "tools/model/stream_model.h"

struct procstat_mode {
    uint64_t ticks, told; /* differences; told in 1/100 s */
    /* percent: by the sum of all modes, by the time that passed, by the exact table; NAN: not known */
    double level, elapsed, exact;
};

struct procstat_used {
    uint32_t id;
    int nice;
    uint64_t user, system; /* ticks */
    uint64_t told_user, told_system; /* 1/100 s */
    double level; /* percent of the ticks of all modes */
};

struct procstat_diff {
    uint64_t from, to;   /* clock units since start */
    uint64_t hz, sum, told; /* ticks a second; of all modes: ticks, 1/100 s */
    double seconds, passed; /* from `from` to `to`, and in ticks of the clock */
    struct procstat_mode mode[TICK_MODES];
    double busy, busy_elapsed, busy_exact; /* all but idle and iowait, percent, as above */
    /* points by which a level moves with one 1/100 s, by either way; NAN: nothing was told */
    double step, step_elapsed;
    /* half width of the 95 % interval of `busy`, points, where ticks are random; NAN as before */
    double random;
    uint64_t load[LOAD_AVERAGES]; /* at the reading `to`, times LOAD_ONE */
    struct procstat_used *task; /* rows with ticks, most first */
    size_t tasks;
};

/*
 * The readings of the first record at or after `from` and the last one at or before `to`, clock units since start;
 * `from` 0 is the beginning of the counters.  False: there are not two.
 * The exact shares are there where the difference is that of the last snapshot.
 */
bool procstat_diff_make(struct procstat_diff *d, const struct epoch *e, uint64_t from, uint64_t to);

void procstat_diff_free(struct procstat_diff *d);
