/* SPDX-License-Identifier: MIT */
/*
 * Records instructions at an address and stores to an address, each with its time and value (time mode) or only
 * counted (count mode); and the switches of tasks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/trace/event_class.h"
#include "tools/hwmon/names.h"

#define EVENT_POINTS 32u
#define EVENTS_KEPT  ((size_t)1 << 20) /* between two closes: a guest may cause as many as it wants */
#define EVENT_WINDOW 8u /* bytes of a store to a window */

/* Numbers of user events: of the points, then of the ranges, and of what is in none. */
#define EVENT_RANGE   EVENT_POINTS
#define EVENT_OUTSIDE 64u

/* What is recorded of a point. */
enum event_mode {
    EVENT_TIMED,   /* a user event with the point's number, and the value that was stored */
    EVENT_COUNTED, /* count mode */
    EVENT_STORED,  /* a user event: what was stored is its argument, as monitor_out() has it */
    EVENT_SYNC,    /* the moment that the guest's own recorder has too: the stored number */
};

struct event_point {
    const char *text;  /* as the word gave it */
    uint64_t address;
    unsigned bytes;    /* of a stored value, 1 to 8; 0: an instruction */
    enum event_mode mode;
    uint64_t times;
};

struct event_monitor {
    struct event_point point[EVENT_POINTS]; /* its index is the number of the user event */
    unsigned points;
    bool on; /* there are points or ranges */
    struct trace_event *kept; /* since the last close */
    size_t count;
    uint64_t lost, lost_time;               /* events that found no room, and when the first of them came */
    uint64_t untold;                        /* of these, those that no event of class LOST tells */
    uint64_t counts[TRACE_CLASSES_END]; /* by class */
};

/*
 * Add a point.  Timed and counted: at:ADDRESS, store:ADDRESS or store:ADDRESS:BYTES (4); the others: ADDRESS of 8
 * bytes.  A SYNC alone does not switch the monitor on.  NULL, or what is wrong with it.
 */
const char *event_monitor_add(struct event_monitor *m, const struct names *names, const char *text,
                              enum event_mode mode);

/* Record an event of a class; `argument` is cut to what one may have.  More than EVENTS_KEPT are lost. */
void event_monitor_record(struct event_monitor *m, enum trace_class class, uint64_t time, uint64_t argument);

/* The point has been reached at `time`, its value is `value`. */
void event_monitor_reached(struct event_monitor *m, struct event_point *point, uint64_t time, uint64_t value);

/* The code that is executed from `time` on is in this range, from 1; 0: in none. */
void event_monitor_entered(struct event_monitor *m, unsigned range, uint64_t time);

/* What was kept has been sent: there is room again. */
void event_monitor_sent(struct event_monitor *m);

/* All counts are 0 again, nothing is kept. */
void event_monitor_clear(struct event_monitor *m);

/* The changes of cell since the last close, as TRANSITIONS tells them (account=log). */

struct change {
    uint64_t cell; /* that ended, as in TRANSITIONS */
    uint64_t time; /* ns that it had */
};

struct change_log {
    bool on;
    struct change *kept; /* since the last close */
    size_t count;
    uint64_t since;      /* ns since the last change */
};

/* The cell ends that had the time since the last change; nothing where it had none. */
void change_log_end(struct change_log *log, uint64_t cell);
