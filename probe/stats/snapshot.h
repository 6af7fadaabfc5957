/* SPDX-License-Identifier: MIT */
/*
 * The state of a run at one tick, in one struct: the sampled table, the exact table
 * and the losses, all closed by the same tick.  PROBE fills it from the monitors, the
 * decoder fills it from the wire.  Tables and reports read nothing else.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/core/region.h"
#include "probe/core/system_monitor.h"
#include "probe/estimate/confidence.h"

#define SNAPSHOT_ROWS 160
#define SNAPSHOT_BUCKETS 48
#define NAME_SIZE 15 /* 14 characters, as in the paper's UNIX version, and the final zero */

struct snapshot_row {
    uint32_t id;
    char name[NAME_SIZE];
    uint64_t hits[MODES];    /* samples; ROW_MASKED and ROW_LOST keep theirs in total only */
    uint64_t changes[MODES]; /* pairs with exactly one sample in (task, mode) */
    uint64_t total;          /* samples of the row */
    uint64_t total_changes;  /* pairs with exactly one sample in the row */
    uint64_t time[MODES];    /* exact, clock units, interrupts on */
    uint64_t masked[MODES];  /* exact, clock units, interrupts off */
};

/* One region (probe/core/region.h).  Slots, `below` and `above` add up to `active`. */
struct snapshot_region {
    uint32_t task;           /* row id, or ROW_ANY */
    enum mode mode;
    uint64_t low, high;      /* [low, high) */
    uint64_t base;           /* where slot 0 begins */
    uint32_t shift;          /* a slot is 2^shift bytes */
    uint64_t below, above;   /* hits outside the region */
    uint64_t active;         /* hits anywhere */
    uint64_t changes_below, changes_above, changes_active; /* pairs with one sample there */
    uint64_t hits[REGION_SLOTS], changes[REGION_SLOTS];
};

struct snapshot {
    uint64_t serial;         /* 1, 2, ... within the epoch */
    uint64_t ticks;          /* times that the source fired, late ones included */
    uint64_t samples;        /* ticks that the handler took: the denominator */
    uint64_t late;           /* samples whose lateness was beyond the floor */
    uint64_t excess;         /* sum of the lateness beyond the floor, clock units; 0 where
                                the source is periodic: its late tick causes no missed tick */
    uint64_t missed_overrun; /* periods that passed unseen, periodic sources */
    uint64_t missed_source;  /* ticks that the device lost */
    uint64_t lost_table;     /* samples that found no record */
    uint64_t lost_ring;      /* samples that found no room in a ring */
    uint64_t begin, end;     /* first arming, last expiry: clock units since start */
    uint64_t first;          /* first expiry, likewise; 0: none */
    uint64_t lateness;       /* sum of the lateness of late samples, clock units */
    uint64_t bucket[SNAPSHOT_BUCKETS]; /* late samples, by the binary digits of their lateness */
    uint64_t made;           /* when the snapshot was taken from memory, clock units */
    uint64_t monitor;        /* exact: time of row MONITOR in the window, clock units */
    uint64_t transitions;    /* changes of cell that the exact table saw */
    /* state of the generator after the last tick, or after the first point that is not before `end` */
    uint64_t generator;
    uint64_t intervals;      /* sum of the intervals given so far, units of the schedule */
    uint64_t points;         /* of the schedule, up to `end`: the samples and `in_handler`; 0: it has none */
    uint64_t in_handler;     /* points that fell into handlers of ticks */
    uint64_t arrivals;       /* ticks in time whose arrival was measured against their point; */
    uint64_t earliest, latest, arrived; /* the earliest, the latest and the sum of these, clock units, zigzag */
    uint64_t mode_changes[MODES]; /* pairs with exactly one sample in the mode */
    bool exact;              /* the exact half was measured */
    bool final;              /* the run ended as its configuration words say */
    uint32_t rows, regions;
    struct snapshot_row row[SNAPSHOT_ROWS]; /* last: a caller that keeps many cuts off the unused end */
    struct snapshot_region region[REGIONS_MAX];
};

/* The row with this id; NULL: there is none. */
const struct snapshot_row *snapshot_find_row(const struct snapshot *s, uint32_t id);

/* What a table calls a row: rows that are no tasks may be without a name in the snapshot. */
const char *snapshot_row_name(const struct snapshot_row *row);

/* The row with this id; added and zeroed if there is none; NULL if the table is full. */
struct snapshot_row *snapshot_row(struct snapshot *s, uint32_t id);

/* Add a record of the system monitor to the row of its key; nothing if the table is full. */
void snapshot_add_record(struct snapshot *s, const struct system_record *r);

/* The row of a record whose samples have no modes, as MASKED; nothing if it has none. */
void snapshot_add_total(struct snapshot *s, uint32_t id, const char *name, const struct system_record *r);

/*
 * How many of the lost samples may belong to a row of a task, of IDLE or of ENDED.  A task
 * that has a record has lost none: it finds one at its first sample or never.  Ended
 * tasks may never have had a record.
 */
uint64_t snapshot_may_have_lost(const struct snapshot *s, const struct snapshot_row *row);

/* The bytes of a snapshot that are in use: its rows, or, where it has regions, up to the last of them. */
size_t snapshot_bytes(const struct snapshot *s);

/* tau: the window minus the monitor's own time, clock units; 0 if not exact. */
uint64_t snapshot_tau(const struct snapshot *s);
