/* SPDX-License-Identifier: MIT */
/*
 * The system monitor: hits of each task in each mode, in a table of records
 * found by hashing the task's id.  Crowe, "System-wide CPU usage monitoring".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/mode.h"

#ifndef SYSTEM_RECORDS
#define SYSTEM_RECORDS 128 /* the paper's; a power of two, 16 to 256 */
#endif
#define SYSTEM_USED    (1ull << 32) /* in a key: id and this compare at once */
#ifdef PROBE_PORT /* a port's ids are anything, also addresses of pages */
#define SYSTEM_PROBES SYSTEM_RECORDS
#else
#define SYSTEM_PROBES 5 /* records looked at, the home record counted */
#endif

/* One slot more than there are modes: rows without modes count there, without a branch. */
#define SYSTEM_SLOTS (MODES + 1)

struct system_record {
    uint64_t hits[SYSTEM_SLOTS];
    uint64_t changes[SYSTEM_SLOTS]; /* pairs with exactly one of their two samples here */
    uint64_t total_changes;  /* pairs with exactly one of their samples in the row */
    uint64_t key;            /* SYSTEM_USED and the task's id; 0: empty */
};

/* Where a sample was counted; the next sample is compared with it. */
struct system_place {
    struct system_record *record;
    /* enum mode, or MODES in the rows that have none; as wide as an address, so that no tick extends it */
    uint64_t mode;
};

/* The caller owns the memory; all zero but for system_init(). */
struct system_monitor {
    struct system_record record[SYSTEM_RECORDS];
    struct system_record masked, stolen, lost; /* their hits stand in hits[MODES] */
    uint64_t mode_changes[SYSTEM_SLOTS];
    struct system_place last;
    /*
     * Rows that were retired, all in one: a sum of their counters, and the changes of
     * pairs that began in one of them and ended after it was.  The first is written
     * between ticks alone, the second by ticks alone.
     */
    struct system_record ended, ended_late;
    struct system_record sum;   /* of `ended` and the record that is being retired */
    volatile uint64_t retiring; /* its key; 0: none is */
#ifdef PROBE_PORT
    uint32_t used;                    /* records that are not empty */
    uint8_t found[SYSTEM_RECORDS];    /* by system_hash(): the record that was found last, which is looked at first */
#endif
};

/* Begin from nothing.  Task context, while no tick can come. */
void system_init(struct system_monitor *m);

/*
 * Home record of an id, 0 .. 127: its four bytes, exclusive-or, top bit off.  In a port each bit counts: Knuth, The
 * Art of Computer Programming 3, 6.4, multiplicative hashing.
 */
static inline uint32_t system_hash(uint32_t id)
{
#ifdef PROBE_PORT
    return (uint32_t)((uint64_t)(id * 0x9e3779b1u) * SYSTEM_RECORDS >> 32);
#else
    id ^= id >> 16;
    id ^= id >> 8;
    return id & (SYSTEM_RECORDS - 1);
#endif
}

/*
 * The record of a key among the home record and four more, in a port among all; NULL: there is none.  Any context
 * that no tick interrupts.
 */
static inline struct system_record *system_find(struct system_monitor *m, uint32_t home, uint64_t key)
{
    for (uint32_t probe = 0; probe < SYSTEM_PROBES; probe++) {
        struct system_record *r = &m->record[(home + probe) & (SYSTEM_RECORDS - 1)];

        if (r->key == key)
            return r;
    }
    return NULL;
}

/*
 * The record of an id where it is its home record, as of most, or in a port where it was found last; NULL: elsewhere,
 * or none.  Interrupt context.
 */
static inline struct system_record *system_home(struct system_monitor *m, uint32_t id)
{
#ifdef PROBE_PORT
    struct system_record *const home = &m->record[m->found[system_hash(id)]];
#else
    struct system_record *const home = &m->record[system_hash(id)];
#endif

    return home->key == (id | SYSTEM_USED) ? home : NULL;
}

/* Count a pair whose samples fall into different cells: the variance is estimated from these. */
static inline void system_count_change(struct system_monitor *m, struct system_place a, struct system_place b)
{
    if (a.record != b.record) {
        a.record->total_changes++;
        b.record->total_changes++;
    } else if (a.mode == b.mode) {
        return;
    }
    a.record->changes[a.mode]++;
    b.record->changes[b.mode]++;
    if (a.mode != b.mode) {
        m->mode_changes[a.mode]++;
        m->mode_changes[b.mode]++;
    }
}

/* Count a sample at its place.  `pair` as in system_tick(), which is what others call.  Interrupt context. */
static inline void system_count(struct system_monitor *m, struct system_place here, bool pair)
{
    here.record->hits[here.mode]++;
    if (pair)
        system_count_change(m, m->last, here);
    m->last = here;
}

/*
 * Count one sample.  `delay`: the row that it goes to, if it was late.  `pair`: it
 * makes a pair with the one before (probe/schedule/schedule.h).
 * Interrupt context: no division, no wait, no loop but the five probes.
 */
void system_tick(struct system_monitor *m, const struct sample *s, enum delay delay, bool pair);

/*
 * Have a record ready for the row `id`, or false: all in its place are those of other
 * rows, and its samples will be lost.  Between ticks that can be masked; else a tick
 * may come that finds a record without it.
 */
bool system_reserve(struct system_monitor *m, uint32_t id);

/* The row at place `probe`, below SYSTEM_PROBES, of those that `id` looks at; 0: none. */
uint32_t system_row_at(const struct system_monitor *m, uint32_t id, uint32_t probe);

/*
 * Retire the row `id`, of which no sample can come any more: its counters go to
 * `ended`, and its record is free.  From begin to end the caller moves what else it
 * keeps of the row.  Between ticks that can be masked, or within ones that cannot: at
 * each instruction what system_settle() makes of a copy adds up.
 */
void system_retire_begin(struct system_monitor *m, uint32_t id);
void system_retire_end(struct system_monitor *m);

/*
 * A copy that a tick made, as if no row was being retired: the copy's `retiring` has
 * the row that has become part of ENDED, for what else was kept of it; 0: none.  Task context.
 */
void system_settle(struct system_monitor *copy);

/*
 * Samples so far of the row `id` in the modes that are its own doing: all but
 * MODE_INTERRUPT; 0 where it has no record.  Any context that no tick interrupts.
 */
uint64_t system_hits(const struct system_monitor *m, uint32_t id);
