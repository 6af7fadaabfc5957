/* SPDX-License-Identifier: MIT */
/*
 * The probe: what happens at a tick, and the counters that it keeps.  The port
 * (kernel/tick/window.c, or another kernel's) owns the memory and the tick source,
 * reduces the interrupt frame to a struct sample, and arms what the
 * probe_tick_...() functions return.
 *
 * The points of a schedule are fixed in clock time.  A tick is the attempt to be at one: it samples what it
 * interrupts.  A late one counts its point, and each further point that passed while it waited, in the row of what
 * delayed it.  A point in a handler of a tick is dropped and counted (docs/ACCOUNTING.md, "The schedule").
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/account.h"
#include "probe/schedule/point_queue.h"
#include "probe/core/region.h"
#include "probe/core/samples.h"
#include "probe/schedule/schedule.h"
#include "probe/core/system_monitor.h"

#define LATENESS_BUCKETS 48 /* the last one has all that is longer */

/* Least lateness of this machine, and the lateness above which a tick is late; clock units. */
struct probe_lateness {
    uint64_t floor, late;
};

/*
 * Of ticks in time that probe_tick_...() counted: from their point to the entry, as the handler read the clock,
 * clock units.
 */
struct probe_arrivals {
    uint64_t count;
    int64_t least, most, sum; /* the first two without meaning where count is 0 */
};

struct probe_counters {
    uint64_t ticks;  /* samples as of the last check_close(); probe_ticks() is right at any time */
    uint64_t points; /* that had passed then: `ticks` and `in_handler`, and where there are no points, `ticks` */
    uint64_t in_handler; /* points that fell into handlers of ticks */
    uint64_t late, excess; /* probe/stats/snapshot.h defines them */
    uint64_t missed_overrun, missed_source; /* likewise; the source's handler counts them */
    uint64_t begin, end;   /* first arming, last expiry; clock units */
    uint64_t first;        /* first expiry, clock units; 0: none yet */
    uint64_t lateness;     /* of late samples, all of it, clock units */
    struct probe_arrivals arrivals;
    uint64_t bucket[LATENESS_BUCKETS]; /* late samples, by the binary digits of their lateness */
};

/* What a window was when a tick closed it. */
struct probe_closed {
    struct probe_counters counters;
    struct system_monitor system;
    uint64_t generator, intervals;
    uint64_t monitor, transitions; /* exact half; 0 if not measured */
    uint64_t lost_ring;            /* raw samples that found no room */
    struct region *region;         /* copies of probe.region, memory of the port */
};

/* The monitors that a tick's sample is handed to. */
enum probe_monitor { PROBE_SYSTEM = 1, PROBE_REGION = 2, PROBE_SAMPLES = 4, PROBE_WATCHED = 1 << 30 };

enum probe_close {
    PROBE_OPEN,    /* no snapshot is requested */
    PROBE_CLOSED,  /* `closed` is ready, until probe_resume() */
    PROBE_CLOSE_REQUESTED,  /* the next tick closes the window into `closed`, and goes on */
    PROBE_STOP_REQUESTED,    /* the next tick closes the window, and is the last */
    PROBE_FINISH_REQUESTED,  /* the window is closed, and the run ends with it: the next tick is the last */
    PROBE_STOPPED, /* the window is closed, and no tick comes any more */
};

/* Hands a sample to the monitors that are on, where it is not the system monitor alone. */
struct probe;
typedef void probe_recorder(struct probe *p, uint64_t time, uint64_t pc, uint32_t task, enum mode mode,
                            enum delay delay);

struct probe {
    struct schedule schedule;         /* as a window begins with it */
    struct point_queue queue;      /* what is drawn from it; the point given last is the first that is not counted */
    uint64_t taken;  /* points taken from it, as of the last tick that looked */
    /*
     * the number of the point before which a tick looks: for a request to close, for the goal, for points that wait
     */
    uint32_t look;
    /* the number of the point before which a port's straight handler leaves the tick to probe_tick_...() */
    volatile uint32_t until;
    unsigned shift;  /* binary logarithm of the schedule's unit, clock units */
    bool relative;   /* ticks have no points: each interval begins with the tick, and its unit is the source's */
    bool strata;     /* pairs are those of strata: none with a point that was dropped */
    uint64_t exit;   /* from the reading of the clock before the arming to the end of IRETQ, clock units, at most */
    /*
     * set by the source before a tick that has a longer way only because a point is close: from the entry to the end
     * of IRETQ on the shorter way, clock units; else 0
     */
    uint64_t usual;
    /* from an entry to a point that is in no handler of a tick in time, clock units; more than it takes */
    uint64_t room;
    uint64_t looked; /* that reading, of the last handler that made one */
    /* points up to here are of row `waited`, and the handler had to leave them to the next; 0: there are none */
    uint64_t waited_until;
    enum delay waited;
    uint64_t left; /* what that handler armed: `least` behind its end */
    int32_t arrival; /* of the sample that is recorded, for raw samples; SAMPLE_NO_ARRIVAL */
    struct system_monitor system;
    struct probe_counters counters;
    struct probe_lateness running, halted; /* when a tick interrupts running code; when it ends HLT */
    bool system_only; /* what probe_set_monitors() makes of `monitors`, for the tick */
    probe_recorder *record; /* what probe_begin() makes of them */
    /* with PROBE_WATCHED the port's own look at each sample */
    void (*watch)(const struct sample *s, enum delay delay);
    uint32_t monitors; /* enum probe_monitor, or-ed */
    struct account *account; /* NULL: there is none */
    bool exact;                       /* the account is kept */
    bool via_nmi;                     /* ticks arrive as NMIs: probe_tick_nmi(); set once */
    bool periodic; /* the source ticks by itself: a late tick loses only the periods that its handler counts */
    uint64_t monitor;                 /* exact time of row MONITOR, clock units */
    uint64_t goal;                    /* samples after which it ends; UINT64_MAX: none */
    volatile uint32_t close;          /* enum probe_close: task and tick */
    struct probe_closed closed;
    uint64_t (*clock)(void);          /* the clock that times are told in. Any context. */
#ifdef PROBE_PORT
    uint64_t turn;                    /* clock units after which it begins again; 0: never */
    volatile uint64_t known;          /* a time less than half a turn ago; written where no tick comes, or by ticks */
    int32_t (*counts_left)(void);     /* of the source, in which time is then told; NULL: by clock() */
    volatile uint64_t expiry;         /* when they are over, written as `known` is */
#endif
    /*
     * The probe of a second source that uses the same account; NULL: none.  Time of its
     * handlers is no part of tau, and a tick that they delay is not called masked.
     * busy_from to busy_to is the time of this probe's last handlers that ran without
     * a break, from entry to the end of IRETQ, clock units; busy_since is the change of
     * cell before them.  They are kept only where there is a peer.
     */
    struct probe *peer;
    uint64_t busy_from, busy_to, busy_since;
    /*
     * Copies the port's exact rows where the tick closes them; where the tick is
     * unmasked, those of `closed.counters.end`, which it may put off till where the
     * account stands.  NULL: there are none.  Interrupt context.
     */
    void (*copy_exact_rows)(struct probe *p);
    /* What the port gives memory for, or NULL and none. */
    uint32_t regions;                 /* of `region`, `closed.region` and `region_request`; REGIONS_MAX at most */
    struct region_request *region_request;
    struct region *region;
    struct samples_ring *samples;
};

/*
 * The time.  A port's clock may have fewer than 64 bits: it is compared with a time that ticks keep young.  A reading
 * that a tick interrupts is of before that tick, and so the difference has a sign.  Any context.
 */
static inline uint64_t probe_clock(const struct probe *p)
{
#ifdef PROBE_PORT
    uint64_t known = p->known, ahead;

    while (p->counts_left != NULL) {
        const uint64_t expiry = p->expiry, now = expiry - (uint64_t)(int64_t)p->counts_left();

        if (expiry == p->expiry) /* else a tick came and armed again */
            return now;
    }
    if (p->turn != 0) {
        while (known != p->known) /* of 32 bits: a tick came between its halves */
            known = p->known;
        ahead = (p->clock() - known) & (p->turn - 1);
        return ahead < p->turn / 2 ? known + ahead : known + ahead - p->turn;
    }
#endif
    return p->clock();
}

/* What the port knows of one tick. */
struct probe_event {
    struct sample sample;
    uint64_t lateness; /* from expiry to sample.time, clock units */
    bool halted;       /* it ended a halt */
    bool enabled;      /* of a late one: interrupts were on all the while it waited, as the port knows */
};

/* Exact time of row MONITOR so far, both sources, clock units.  Interrupts off. */
static inline uint64_t probe_monitor_time(const struct probe *p)
{
    return p->monitor + (p->peer != 0 ? p->peer->monitor : 0);
}

/* Say which monitors are on: enum probe_monitor, or-ed.  While no tick can come. */
void probe_set_monitors(struct probe *p, uint32_t monitors);

/* Draw the first points of p->schedule.  While no tick can come, before probe_begin(). */
void probe_prepare(struct probe *p);

/*
 * Begin a window at `now`, from which its points count; all monitors
 * begin from nothing.  Returns what is to be armed, as probe_tick_on_time() does.  Interrupts off.
 */
uint64_t probe_begin(struct probe *p, uint64_t now);

/* Its two parts: all that takes long, and the moment.  Where the second is left out no tick may come. */
void probe_clear(struct probe *p);
uint64_t probe_begin_at(struct probe *p, uint64_t now);

/* Points that have passed since the window began; ticks, where those have no points.  Any context. */
static inline uint64_t probe_points(const struct probe *p)
{
    const uint64_t taken = *(const volatile uint64_t *)&p->taken;

    return taken + (uint32_t)(*(const volatile uint32_t *)&p->queue.taken - (uint32_t)taken) - 1;
}

/* Samples so far.  Any context. */
static inline uint64_t probe_ticks(const struct probe *p)
{
    return probe_points(p) - *(const volatile uint64_t *)&p->counters.in_handler;
}

/*
 * Ask for the window to be closed, by PROBE_CLOSE_REQUESTED or PROBE_STOP_REQUESTED; nothing where
 * it is closed already.  Task context, interrupts off: the last tick may be near.
 * Where the tick is `unmasked` no other word is written than `close`, at once.
 */
void probe_request_close(struct probe *p, enum probe_close how);

/*
 * What is `closed` is what the run ends with: the next tick is the last, and is not
 * in it.  Nothing where the window is open, or the last tick has come.  As probe_request_close().
 */
void probe_finish(struct probe *p);

/* `closed` has been read: go on.  Task context, interrupts off. */
void probe_resume(struct probe *p);

/* The least latency of a tick that interrupts running code, or that ends HLT; clock units.  Interrupt context. */
static inline uint64_t probe_latency_floor(const struct probe *p, bool halted)
{
    return halted ? p->halted.floor : p->running.floor;
}

/*
 * From when on MONITOR is charged for a tick that entered at `time`.  The time from expiry to entry, up to the floor,
 * belongs to no cell.  What exceeds the floor was masked time, and is charged already to the cell that masked.
 * Interrupt context.
 */
static inline uint64_t probe_charged_from(const struct probe *p, uint64_t time, uint64_t lateness, bool halted)
{
    const uint64_t floor = probe_latency_floor(p, halted);

    return time - (lateness < floor ? lateness : floor);
}

/*
 * Enter the tick: from here on time is charged to MONITOR.  Call it first, so that the
 * account is right for what follows.  Interrupt context.
 */
void probe_enter(struct probe *p, const struct probe_event *e);

/*
 * The time from which MONITOR is charged for this tick: its entry, minus the interrupt
 * latency that every tick has, clock units.  Interrupt context.
 */
uint64_t probe_monitor_start(const struct probe *p, const struct probe_event *e);

/*
 * As probe_tick_on_time(), of a tick that arrives as an NMI, late or not.  The account is not switched: at the
 * end the port adds the tick's time to account.nmi_time (probe/core/account.h).
 */
uint64_t probe_tick_nmi(struct probe *p, const struct probe_event *e);

/* Whether a tick is late.  Out of HLT it may come later than out of running code and be in time. */
static inline bool probe_is_late(const struct probe *p, const struct probe_event *e)
{
    return e->lateness > p->running.late && (!e->halted || e->lateness > p->halted.late);
}

/*
 * Count one tick that is not late.  Returns the time for which the source is to be armed, clock units, or, where
 * p->relative, the next interval in counts; 0 where this tick was the last.
 * Interrupt context: no division, no wait, no format.
 */
uint64_t probe_tick_on_time(struct probe *p, const struct probe_event *e);

/*
 * The same for a late tick, with all points that passed while it waited.
 * One that only the peer's handlers delayed is not late.
 */
uint64_t probe_tick_late(struct probe *p, const struct probe_event *e);
