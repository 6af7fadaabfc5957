/* SPDX-License-Identifier: MIT */
/*
 * The state of the machine from its events: each event that changes it ends a step.  What a step
 * knows depends on the classes that were recorded.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/base/hash_index.h"
#include "tools/timeline/timeline.h"

struct event_steps {
    struct machine_state now;
    int64_t begin;        /* of this state */
    bool open;            /* it has begun */
    bool time_known;      /* `begin` is a time since start */
    uint32_t classes;     /* that were recorded, as far as is known */
    unsigned told;        /* enum state_known: what these tell */
    struct index task_of; /* indexes in own[] by trace_task() */
    struct machine_task *own;
    size_t tasks;
};

void event_steps_begin(struct event_steps *s, const struct epoch *e);
void event_steps_free(struct event_steps *s);

/* Take the next event; sets what it does not know itself, the mode.  True: *ended is the step that it ends. */
bool event_steps_take(struct event_steps *s, struct timeline_event *e, struct timeline_step *ended);

/* Nothing is known after a gap, which begins at `time`.  True: as before. */
bool event_steps_gap(struct event_steps *s, int64_t time, struct timeline_step *ended);
