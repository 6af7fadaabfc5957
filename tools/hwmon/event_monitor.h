/* SPDX-License-Identifier: MIT */
/*
 * The event monitor: instructions at an address and stores to an address, each with its time and
 * value (time mode) or only counted (count mode); and the switches of tasks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/trace/event_class.h"
#include "tools/hwmon/names.h"

#define EVENT_POINTS 32u

/* Numbers of user events: of the points, then of the ranges, and of what is in none. */
#define EVENT_RANGE   EVENT_POINTS
#define EVENT_OUTSIDE 64u

struct event_point {
    const char *text;  /* as the word gave it */
    uint64_t address;
    unsigned bytes;    /* of a stored value, 1 to 6; 0: an instruction */
    bool counted_only; /* count mode */
    uint64_t times;
};

struct event_monitor {
    struct event_point point[EVENT_POINTS]; /* its index is the number of the user event */
    unsigned points;
    bool on; /* there are points or ranges */
    struct trace_event *kept; /* since the last close */
    size_t count;
    uint64_t counts[TRACE_CLASSES_END]; /* by class */
};

/* Add at:ADDRESS, store:ADDRESS or store:ADDRESS:BYTES (4).  NULL, or what is wrong with it. */
const char *event_monitor_add(struct event_monitor *m, const struct names *names, const char *text, bool counted_only);

/* Record an event of a class; `argument` is cut to what one may have. */
void event_monitor_record(struct event_monitor *m, enum trace_class class, uint64_t time, uint64_t argument);

/* The point has been reached at `time`, its value is `value`. */
void event_monitor_reached(struct event_monitor *m, struct event_point *point, uint64_t time, uint64_t value);

/* The code that is executed from `time` on is in this range, from 1; 0: in none. */
void event_monitor_entered(struct event_monitor *m, unsigned range, uint64_t time);

/* All counts are 0 again, nothing is kept. */
void event_monitor_clear(struct event_monitor *m);
