/* SPDX-License-Identifier: MIT */
/*
 * The probe: what happens at a tick, and the counters that it keeps.  The port
 * (kernel/tick.c, or another kernel's) owns the memory and the tick source,
 * reduces the interrupt frame to a struct sample, and arms the interval that
 * probe_tick() names.
 */
#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/account.h"
#include "probe/schedule.h"
#include "probe/system.h"

/* Lateness that nothing delayed, and above which a tick is late; clock units. */
struct probe_lateness {
    uint64_t floor, late;
};

struct probe_counters {
    uint64_t ticks; /* as of the last look; probe_ticks() knows them at any time */
    uint64_t late, excess; /* probe/snapshot.h defines them */
    uint64_t begin, end;   /* first arming, last expiry; clock units */
};

/* What a window was when a tick closed it. */
struct probe_closed {
    struct probe_counters counters;
    struct system_monitor system;
    uint64_t generator, intervals;
    uint64_t monitor, transitions; /* exact half; 0 if not measured */
};

enum probe_close {
    PROBE_OPEN,    /* nobody asks for a snapshot */
    PROBE_WANTED,  /* the next tick closes the window into `closed`, and goes on */
    PROBE_LAST,    /* the next tick closes the window, and is the last */
    PROBE_CLOSED,  /* `closed` is ready, until probe_resume() */
    PROBE_STOPPED, /* the same, and no tick comes any more */
};

struct probe {
    struct schedule schedule;
    struct system_monitor system;
    struct probe_counters counters;
    struct probe_lateness running, halted; /* out of running code, out of HLT */
    bool monitor_system;
    struct account *account;
    bool exact;                       /* the account is kept */
    uint64_t monitor;                 /* exact time of row MONITOR, clock units */
    uint64_t goal;                    /* ticks after which it ends; UINT64_MAX: none */
    volatile uint64_t left;           /* ticks until one looks at goal and close */
    volatile uint64_t look_at;        /* the number of that tick */
    volatile uint32_t close;          /* enum probe_close: task and tick */
    struct probe_closed closed;
    uint64_t (*clock)(void);          /* the clock that times are told in. Any context. */
    /* Copies the port's exact rows where the tick closes them. Interrupt context. */
    void (*copy_rows)(void);
};

/* What the port knows of one tick. */
struct probe_event {
    struct sample sample;
    uint64_t lateness; /* from expiry to sample.time, clock units */
    bool halted;       /* it ended a halt */
};

/*
 * Begin a window at `now`, the moment of the first arming; counters and rows
 * begin from nothing.  Returns the first interval, counts.  Interrupts off.
 */
uint64_t probe_begin(struct probe *p, uint64_t now);

/* Ticks so far.  Interrupts off, or while no tick looks (no goal, nobody asks). */
static inline uint64_t probe_ticks(const struct probe *p)
{
    return p->look_at - p->left;
}

/*
 * Ask for the window to be closed, by PROBE_WANTED or PROBE_LAST; nothing where
 * it is closed already.  Task context, interrupts off: the last tick may be near.
 */
void probe_ask(struct probe *p, enum probe_close how);

/* `closed` has been read: go on.  Task context, interrupts off. */
void probe_resume(struct probe *p);

/*
 * Enter the tick: time from here on is the monitor's.  Called before anything
 * else, so that the account is right for what follows.  Interrupt context.
 */
void probe_enter(struct probe *p, const struct probe_event *e);

/*
 * Count one tick.  Returns the next interval in counts, 0 where this tick was
 * the last.  Interrupt context: no division, no wait, no format.
 */
uint64_t probe_tick(struct probe *p, const struct probe_event *e);

#endif
