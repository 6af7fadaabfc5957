/* SPDX-License-Identifier: MIT */
/* The raw samples of an epoch one by one, as exports take them.  Host. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "tools/model/stream_model.h"

/* What a sample saw. */
struct sample_where {
    uint64_t pc;
    uint32_t task; /* row id: of a late sample that of row MASKED or STOLEN */
    uint32_t code; /* row id of the task whose code is at `pc` */
    enum mode mode;
    bool known;    /* false: its place did not arrive; the rest is zero */
};

struct export_sample {
    uint64_t number; /* among all samples of the run, from 0 */
    uint64_t tick;   /* from 0 */
    int64_t time;    /* clock units since the image started; only if the run is timed */
    bool pair;       /* with the sample before it */
    struct sample_where at;
};

typedef void export_sample_taker(void *context, const struct export_sample *sample);

/* Whether there are raw samples, and whether each has a time. */
bool export_has_samples(const struct epoch *e);
bool export_has_times(const struct epoch *e);

/* Give each, in the order of ticks. */
void export_samples_each(const struct epoch *e, export_sample_taker *take, void *context);
