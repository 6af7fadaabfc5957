/* SPDX-License-Identifier: MIT */
/*
 * Exact accounting: the time between two changes of cell goes to the cell that
 * was left.  The truth that the samples are held against (docs/ACCOUNTING.md,
 * "Where a nanosecond goes"; McCanne and Torek's T_e; Yevtushenko's counters).
 */
#pragma once

#include <stdint.h>

#include "probe/core/mode.h"

/*
 * A row has two counters for each mode: time with interrupts on, then time with
 * interrupts off.  Stubs in assembly rely on this order.
 */
struct account_row {
    uint64_t time[MODES][2]; /* clock units: [mode][0 unmasked, 1 masked] */
};

/*
 * The account's clock is the machine's clock minus `nmi_time`: it stands still while
 * a tick that arrives as an NMI runs.  So no change of cell has to know of such a
 * tick, not even the change that it interrupts.
 */
struct account {
    uint64_t last;           /* the account's clock at the last change of cell */
    uint64_t *cell;          /* the counter that time goes to now */
    uint64_t *kernel;        /* the running task's cells, interrupts on: */
    uint64_t *supervisor;    /* where the stubs turn to */
    uint64_t generation;     /* twice the changes of cell; odd while one is under way */
    volatile uint64_t nmi_time; /* clock units; written by NMI ticks only */
};

/* The cell of a row; `masked`: the counter for time with interrupts off. */
static inline uint64_t *account_cell(struct account_row *row, enum mode mode, int masked)
{
    return &row->time[mode][masked];
}

/* The number of a cell of a row: 2 * mode + (1: masked). */
static inline unsigned account_cell_number(const struct account_row *row, const uint64_t *cell)
{
    return (unsigned)(cell - &row->time[0][0]);
}

/* Add the times of a row, cell by cell.  Interrupts off. */
static inline void account_row_add(struct account_row *to, const struct account_row *from)
{
    for (unsigned mode = 0; mode < MODES; mode++)
        for (unsigned masked = 0; masked < 2; masked++)
            to->time[mode][masked] += from->time[mode][masked];
}

/* Changes of cell so far. */
static inline uint64_t account_transitions(const struct account *a)
{
    return a->generation / 2;
}

/* Add to a counter: the difference is a value of its own, so that the compiler adds it in one instruction. */
static inline void account_add(uint64_t *counter, uint64_t to, uint64_t from)
{
    uint64_t passed = to - from;

    __asm__("" : "+r"(passed));
    *counter += passed;
}

/*
 * Charge the present cell up to `now`, then go on with `cell`.  Interrupts off.  Where
 * ticks arrive as NMIs, use account_switch_nmi_safe().
 */
static inline void account_switch_at(struct account *a, uint64_t now, uint64_t *cell)
{
    account_add(a->cell, now, a->last);
    a->last = now;
    a->cell = cell;
    a->generation += 2;
}

/*
 * Charge the present cell up to `from`, `visited` from there to `to`, and go on with the present cell: two changes of
 * cell in one.  Interrupts off.  Not where ticks arrive as NMIs.
 */
static inline void account_visit_at(struct account *a, uint64_t from, uint64_t to, uint64_t *visited)
{
    account_add(a->cell, from, a->last);
    account_add(visited, to, from);
    a->last = to;
    a->generation += 4;
}

/*
 * account_switch_at() where an NMI may read the account while the change is half done.
 * In each path of an interrupt: no call.
 */
static inline __attribute__((always_inline)) void account_switch_nmi_safe(struct account *a, uint64_t now,
                                                                          uint64_t *cell)
{
    a->generation |= 1;
    __asm__ volatile("" : : : "memory");
    *a->cell += now - a->last;
    a->last = now;
    a->cell = cell;
    __asm__ volatile("" : : : "memory");
    a->generation++;
}
