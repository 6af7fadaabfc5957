/* SPDX-License-Identifier: MIT */
/*
 * Exact accounting: the time between two changes of cell goes to the cell that
 * was left.  The truth that the samples are held against (docs/ACCOUNTING.md,
 * "Where a nanosecond goes"; McCanne and Torek's T_e; Yevtushenko's counters).
 */
#ifndef PROBE_ACCOUNT_H
#define PROBE_ACCOUNT_H

#include <stdint.h>

#include "probe/cell.h"

/*
 * A row: two counters a mode, interrupts on and, right behind it, off.  Stubs in
 * assembly rely on this order.
 */
struct account_row {
    uint64_t time[MODES][2]; /* clock units: [mode][0 unmasked, 1 masked] */
};

struct account {
    uint64_t last;           /* clock at the last change of cell */
    uint64_t *cell;          /* the counter that time goes to now */
    uint64_t *kernel;        /* the running task's cells, interrupts on: */
    uint64_t *supervisor;    /* where the stubs turn to */
    uint64_t transitions;
};

/* The cell of a row; `masked`: the counter for time with interrupts off. */
static inline uint64_t *account_cell(struct account_row *row, enum mode mode, int masked)
{
    return &row->time[mode][masked];
}

/*
 * Leave the present cell at `now` for `cell`.  Interrupts off, or in a stub that
 * is restarted when interrupted (kernel/vectors.asm).
 */
static inline void account_to(struct account *a, uint64_t now, uint64_t *cell)
{
    *a->cell += now - a->last;
    a->last = now;
    a->cell = cell;
    a->transitions++;
}

#endif
