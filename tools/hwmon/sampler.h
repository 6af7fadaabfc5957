/* SPDX-License-Identifier: MIT */
/*
 * Samples at moments of virtual time: the schedule of the image's own tick, without a tick.
 * Equidistant is interval=fixed; the other policies are stochastic.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "probe/core/samples.h"
#include "probe/schedule/schedule.h"
#include "probe/core/system_monitor.h"

/* What a snapshot tells of the samples so far. */
struct sampler_state {
    struct system_monitor hits;
    uint64_t ticks;
    uint64_t first;     /* time of the first sample, ns; 0: none */
    uint64_t generator; /* after the interval to the last sample */
    uint64_t intervals; /* their sum, ns */
};

struct sampler {
    struct schedule_request request;
    struct schedule schedule;
    struct sampler_state state;
    uint64_t due;               /* of the next sample, in the caller's time */
    struct sample_record *kept; /* since the last close */
    size_t count;
};

/* NULL, or the sentence that says why the schedule cannot be kept. */
const char *sampler_init(struct sampler *s, const struct schedule_request *request);

/* Begin at this time with the schedule's first interval; what was kept is dropped. */
void sampler_begin(struct sampler *s, uint64_t time);

/* Take the sample that is due, and fix the time of the next; `sample.time` is what the stream tells. */
void sampler_take(struct sampler *s, const struct sample *sample);
