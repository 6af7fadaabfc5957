/* SPDX-License-Identifier: MIT */
/*
 * Whether the ticks of an epoch are the schedule's: the schedule is drawn again
 * from the words, and every snapshot and every time of a raw sample is checked
 * against it (docs/ACCOUNTING.md, "Audit").
 */
#ifndef TOOLS_ANALYSIS_AUDIT_H
#define TOOLS_ANALYSIS_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/model/stream_model.h"

#define AUDIT_FINDINGS 12 /* that are kept; all are counted */
#define AUDIT_SENTENCE 200
#define AUDIT_BINS     20 /* of a period of the system clock */

/* Where the raw samples fell in the period of the system clock. */
struct audit_phase {
    uint64_t samples; /* 0: not known */
    uint64_t bin[AUDIT_BINS];
    uint64_t least, most; /* of bin[] */
    unsigned empty;       /* bins without a sample */
    double chi_square;    /* against equal bins, AUDIT_BINS - 1 degrees of freedom */
    bool even;            /* not above what chance makes once in a thousand */
};

struct audit {
    uint64_t faults; /* what does not hold */
    char finding[AUDIT_FINDINGS][AUDIT_SENTENCE];
    bool replayed;     /* the schedule is known, and was drawn again */
    uint64_t cut;      /* a tick that would take too long to be drawn again: not replayed; 0: none */
    uint64_t ticks;    /* drawn */
    uint64_t agreed;   /* snapshots whose generator and sum are the replay's */
    uint64_t checked;  /* intervals between two samples, each alone */
    uint64_t spanned;  /* stretches of several intervals between two samples */
    uint64_t excused;  /* of those checked: longer for a known reason */
    int64_t shortest, longest; /* of the rest: less what was foreseen, clock units */
    uint64_t absent;   /* samples that neither arrived nor were reported as lost */
    uint64_t unseen;   /* snapshots that never arrived */
    bool one_shot;     /* intervals are counted from the handler on: times can be foreseen */
    struct audit_phase phase;
};

/* Audit an epoch; after model_finish(). */
void audit_make(struct audit *a, const struct epoch *e);

/* Window of the last snapshot less what intervals, handlers and lateness take, clock units. */
int64_t audit_drift(const struct epoch *e, const struct wire_snapshot *head);

#endif
