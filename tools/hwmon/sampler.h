/* SPDX-License-Identifier: MIT */
/*
 * Takes samples at moments of virtual time: the schedule of the image's own tick, without a tick.  Equidistant is
 * interval=fixed; the other policies are stochastic.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "probe/core/mode.h"
#include "probe/core/samples.h"
#include "probe/core/system_monitor.h"
#include "probe/schedule/schedule.h"
#include "tools/hwmon/block.h"

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

/* The samples as lines of text, each with its opcode and the address of its data. */

struct sample_list {
    FILE *file; /* NULL: no list is wanted */
};

/* False, with a message, if the file cannot be written. */
bool sample_list_open(struct sample_list *list, const char *path);

/* One sample; `accessed`: the instruction has read or written memory in this execution. */
void sample_list_add(struct sample_list *list, const struct sample *s, const char *task,
                     const struct insn *insn, bool accessed);
