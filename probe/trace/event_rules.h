/* SPDX-License-Identifier: MIT */
/*
 * What an event does beside being recorded: rules after the paper's programmable monitor (Thurner, "Performance
 * Measurement Using System Monitors", section 3).  A rule has a condition and actions.  This decides which rules
 * an event meets and keeps the counters; whoever records events carries the other actions out.  Any context, one
 * at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/trace/event_class.h"

#define EVENT_RULES_MAX    8u
#define EVENT_COUNTERS_MAX 8u

enum event_action { /* bits */
    ACTION_START = 1,     /* record from here on */
    ACTION_STOP = 2,      /* record no more */
    ACTION_FREEZE = 4,    /* the buffer keeps what it has, `kept` percent of it from before this event */
    ACTION_WRITE = 8,     /* send or print what is in the buffer */
    ACTION_SNAPSHOT = 16, /* show what the monitors have counted */
};
enum event_counting { COUNTING_NONE, COUNTING_ADD, COUNTING_SET, COUNTING_RESET };

struct event_rule {
    uint32_t classes; /* a mask; 0: not about events, but a task's share of the CPU */
    bool any;         /* any number; else: */
    uint32_t number;  /* of a vector, a call, a user event, a device; of a share its limit, percent */
    uint8_t actions;  /* enum event_action, or-ed */
    uint8_t kept;     /* ACTION_FREEZE: percent of the buffer, 0 to 100 */
    uint8_t counting; /* enum event_counting */
    uint8_t counter;  /* below EVENT_COUNTERS_MAX */
    uint32_t value;   /* COUNTING_SET */
};

/* All zero: there are none, and nothing was counted. */
struct event_rules {
    uint32_t count;
    struct event_rule rule[EVENT_RULES_MAX];
    uint64_t hits[EVENT_RULES_MAX];          /* how often each was met, */
    uint64_t last[EVENT_RULES_MAX];          /* and when last, in units of the caller */
    uint64_t counter[EVENT_COUNTERS_MAX];
};

/* The classes that have a rule. */
uint32_t event_rules_classes(const struct event_rules *r);

/* The rules, as a mask, that an event meets; `of`: those that are about its task. */
uint32_t event_rules_met(const struct event_rules *r, enum trace_class class, uint64_t argument, uint32_t of);

/* These rules were met at `time`: count.  Returns what else is to be done, enum event_action or-ed. */
unsigned event_rules_count(struct event_rules *r, uint32_t met, uint64_t time);

/* Of these rules, one that has this action; EVENT_RULES_MAX: none has. */
unsigned event_rules_with(const struct event_rules *r, uint32_t met, unsigned actions);
