/* SPDX-License-Identifier: MIT */
/*
 * The buffer of events, and their counters (Thurner, section 3: time mode and count mode).  The
 * producers are interrupt handlers, system calls and their stubs in assembly; one task empties
 * it.  An event costs the same whether the buffer overwrites, stops when it is full, or is
 * emptied as it fills: producers compare with `limit` alone.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/trace/event_class.h"

/* As it is in the buffer. */
struct event_record {
    uint64_t time; /* the account's clock */
    uint64_t code; /* class << TRACE_ARGUMENT_BITS | argument */
};

enum event_ring_mode {
    EVENT_RING_STREAM,    /* it is emptied meanwhile; where it is full, events are lost until half of it is free */
    EVENT_RING_STOP,      /* it is emptied at the end; where it is full, events are lost from then on */
    EVENT_RING_OVERWRITE, /* the last events are kept */
    EVENT_RING_COUNT,     /* nothing is recorded: counters only */
};

/* The addresses of code from which a class of events is taken: low to low + size, both included. */
struct event_site {
    uint64_t low, size;
};

/*
 * All zero: nothing is taken.  Interrupts off, except where a member says otherwise; stubs that
 * interrupts can tear write it restartably (kernel/cpu/vectors.asm).
 */
struct event_ring {
    uint32_t mask;   /* classes that are taken now: recorded or counted */
    uint32_t open;   /* classes that are taken of any task: 0 while it is paused */
    uint32_t plain;  /* classes that are recorded without a look at their site */
    /* classes whose events do more than being recorded (probe/trace/event_rules.h): the caller looks */
    uint32_t ruled;
    uint32_t timed;  /* classes that are recorded; the others are counted only */
    uint64_t put;    /* records so far; record n is in slot n & slots */
    uint64_t limit;  /* no record of this number is written */
    uint64_t slots;  /* a power of two, minus 1 */
    struct event_record *record;
    uint64_t lost;   /* events that found no room */
    uint64_t told;   /* of these, those that an event of class LOST tells */
    struct event_record since; /* time of the first that is not told */
    struct event_record spare; /* written where nothing is to be recorded; never read */
    uint64_t nowhere;          /* counted where nothing is to be counted; never read */
    uint64_t lost_time;        /* of the first lost event; 0: none was */
    uint64_t taken;            /* records that the reader has; the reader's */
    enum event_ring_mode mode; /* set at the begin */
    bool sited;                /* a class has a site other than all addresses */
    uint64_t count[32];        /* events by class, all but those of class LOST */
    struct event_site site[32];
};

/* What event_ring_begin() needs. */
struct event_ring_request {
    struct event_record *record; /* memory of the caller */
    uint64_t records;            /* a power of two, at least 64 */
    enum event_ring_mode mode;
};

/*
 * Begin from nothing; nothing is taken before `open` and `mask` are set.  Sites are all addresses.  Interrupts off.
 */
void event_ring_begin(struct event_ring *r, const struct event_ring_request *request);

/*
 * Take only events of these classes that come from code at [low, high]: of those that have a site.  Interrupts off.
 */
void event_ring_set_site(struct event_ring *r, uint32_t classes, uint64_t low, uint64_t high);

/*
 * Take none of these classes in stubs, whatever is in `mask`; and take them from all addresses again.
 * Interrupts off.
 */
void event_ring_close_sites(struct event_ring *r, uint32_t classes);
void event_ring_open_sites(struct event_ring *r, uint32_t classes);

static inline uint64_t event_record_code(enum trace_class class, uint64_t argument)
{
    return (uint64_t)class << TRACE_ARGUMENT_BITS | argument;
}

/* Append a record where there is room; else it is lost.  Interrupts off. */
void event_ring_record(struct event_ring *r, uint64_t time, uint64_t code);

/*
 * Count an event of a class whose bit is in `mask`; true: it is to be recorded, too.  Inline, because
 * counting takes less than a call.  Interrupts off.
 */
static inline bool event_ring_count(struct event_ring *r, enum trace_class class)
{
    r->count[class]++;
    return (r->timed >> class & 1) != 0;
}

/* Record, or count, an event of a class whose bit is in `mask`.  Interrupts off. */
static inline void event_ring_put(struct event_ring *r, uint64_t time, enum trace_class class, uint64_t argument)
{
    if (event_ring_count(r, class))
        event_ring_record(r, time, event_record_code(class, argument));
}

/*
 * Whether events of a class that has a site, the address of the code that caused it,
 * are taken of this one.  Interrupts off.
 */
static inline bool event_ring_is_site(const struct event_ring *r, enum trace_class class, uint64_t site)
{
    return site - r->site[class].low <= r->site[class].size;
}

/* Record an event of group `control`, whatever is taken; where there is no room it is lost.  Interrupts off. */
void event_ring_control(struct event_ring *r, uint64_t time, enum trace_class class, uint64_t argument);

/*
 * Take the oldest record; false if there is none.  EVENT_RING_STREAM: at any time.  The others:
 * while nothing is taken.  The reader alone, interrupts off.
 */
bool event_ring_take(struct event_ring *r, struct event_record *to);

/*
 * EVENT_RING_OVERWRITE: keep what is there, `kept` percent of the buffer; the rest is filled with what comes, and
 * then events find no room.  Where that was done already, the earlier end of both.  Interrupts off.
 */
void event_ring_freeze(struct event_ring *r, unsigned kept);

/* Whether it is frozen, and full. */
static inline bool event_ring_is_frozen(const struct event_ring *r)
{
    return r->mode == EVENT_RING_OVERWRITE && r->put == r->limit;
}

/* What it had was taken: there is room again, and what was lost meanwhile is told.  Interrupts off. */
void event_ring_release(struct event_ring *r);

/* The number of the record that event_ring_take() gave last: those between were overwritten. */
static inline uint64_t event_ring_taken(const struct event_ring *r)
{
    return r->taken - 1;
}

/* Records that were overwritten so far.  Interrupts off. */
uint64_t event_ring_overwritten(const struct event_ring *r);

static inline enum trace_class event_record_class(const struct event_record *e)
{
    return (enum trace_class)(e->code >> TRACE_ARGUMENT_BITS);
}
static inline uint64_t event_record_argument(const struct event_record *e)
{
    return e->code & TRACE_ARGUMENT_MAX;
}

/*
 * Put events that became known late into the order of their times: the last `records` of the ring, in the order of
 * their times among themselves, belong between earlier ones: move them there, past no record that was taken.  `room`
 * is for as many records.  The time is that of the records that they pass.  Interrupts off.
 */
void event_ring_merge_last(struct event_ring *r, uint64_t records, struct event_record *room);
