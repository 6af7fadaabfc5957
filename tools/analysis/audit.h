/* SPDX-License-Identifier: MIT */
/*
 * Whether the ticks of an epoch follow their schedule: the schedule is computed again from the
 * configuration words, and every snapshot and the time of every raw sample is checked against it
 * (docs/ACCOUNTING.md, "Audit").
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/sample_encode.h"
#include "tools/model/stream_model.h"
#include "tools/samples/sample_reader.h"
#include "tools/timeline/epoch_pass.h"

#define AUDIT_FINDINGS 12 /* findings that are kept; all are counted */
#define AUDIT_SENTENCE 200
#define AUDIT_BINS     20 /* parts of a period of the system clock */

/* Where the raw samples fell in the period of the system clock. */
struct audit_phase {
    uint64_t samples; /* 0: not known */
    uint64_t bin[AUDIT_BINS];
    uint64_t least, most; /* of bin[] */
    unsigned empty;       /* bins without a sample */
    double chi_square;    /* against a uniform distribution, AUDIT_BINS - 1 degrees of freedom */
    bool even;            /* chi_square is not above its 99.9 % point */
};

struct audit {
    uint64_t faults; /* checks that failed */
    char finding[AUDIT_FINDINGS][AUDIT_SENTENCE];
    bool replayed;     /* the schedule is known and was computed again */
    uint64_t cut;      /* tick at which the replay was given up as too long; 0: none */
    uint64_t ticks;    /* ticks computed */
    uint64_t agreed;   /* snapshots whose generator state and sum equal the replay's */
    uint64_t checked;  /* intervals between two samples, each alone */
    uint64_t spanned;  /* stretches of several intervals between two samples */
    uint64_t excused;  /* of those checked: longer, for a known reason */
    int64_t shortest, longest; /* of the rest: measured minus predicted, clock units */
    uint64_t absent;   /* samples that neither arrived nor were reported as lost */
    uint64_t unseen;   /* snapshots that never arrived */
    /* snapshots that came too long before or after their samples to be checked against the replay */
    uint64_t unordered;
    bool one_shot;     /* the handler starts each interval: times can be predicted */
    struct audit_phase phase;
};

struct audit_walk;

/*
 * Begin the audit of an epoch that was read a first time, into `a`; then give all its snapshots to audit_foresee(),
 * which keeps thousands of them; then its samples and again its snapshots as struct epoch_sink does
 * (tools/timeline/epoch_pass.h), whose context is the walk, and end.  Never NULL; audit_end() frees it.
 */
struct audit_walk *audit_begin(struct audit *a, const struct epoch *e);
void audit_foresee(void *walk, const struct wire_snapshot *head);
void audit_sample(void *walk, const struct resolved_sample *s);
void audit_head(void *walk, const struct wire_snapshot *head);
void audit_end(struct audit_walk *w);

/* Intervals that a snapshot's sum has: with points the first one that is not before its end is among them. */
static inline double audit_intervals(const struct epoch *e, const struct snapshot *s)
{
    return (double)(e->hello.unit ? s->points + 1 : s->ticks);
}

/* Without points: window of the last snapshot minus the time of intervals, handlers and lateness, clock units. */
int64_t audit_drift(const struct epoch *e, const struct wire_snapshot *head);

/*
 * All of it: read the epoch, or its second source, from an open stream.  NULL: the records cannot be read again, and
 * only what the first reading knows is checked.
 */
void audit_pass(struct audit *a, struct epoch_pass *p, const struct epoch *e);

/*
 * Shares the state and the checks of an audit between the walk through a run (audit.c) and the two rules by which
 * ticks follow a schedule.
 */

#define AUDIT_HEADS 4096              /* snapshots that may wait for samples */
#define AUDIT_DELAY ((size_t)1 << 15) /* samples that may come before a snapshot of fewer ticks: 3 s at 10 kHz */
#define AUDIT_ALTERED_TOLD 3          /* altered intervals that are reported one by one */

/* How the ticks of an epoch follow its schedule. */
struct audit_rule {
    /*
     * Intervals that are drawn when this snapshot is checked.  The snapshots and samples of a run come in this order.
     */
    uint64_t (*draws)(const struct wire_snapshot *head);
    void (*head)(struct audit_walk *w, const struct wire_snapshot *head);
    void (*sample)(struct audit_walk *w, const struct resolved_sample *t);
    void (*end)(struct audit_walk *w);
};

/* Points that are fixed in clock time; intervals that begin in the handler (audit_rules.c). */
extern const struct audit_rule audit_points, audit_relative;

struct audit_walk {
    const struct epoch *e;
    struct audit *a;
    const struct audit_rule *rule;
    struct schedule schedule;
    uint64_t sum_before; /* of the intervals but for the last */
    uint64_t foreseen; /* clock units since the last sample, or the first arming */
    struct wire_snapshot head[AUDIT_HEADS]; /* a ring: from heads_done on, up to heads */
    uint64_t heads_done, heads;
    uint64_t heads_seen, heads_left; /* given by audit_head(); of these, those without room */
    struct wire_snapshot last_head; /* the last one of those that are done */
    struct resolved_sample sample[AUDIT_DELAY]; /* a ring: the last ones, which wait for snapshots */
    uint64_t samples_done, samples;
    uint64_t last_time; /* of the last sample that is done; 0: not known, or there is none */
    uint64_t tick, before; /* of the sample that is checked, and of the one before it */
    bool over;         /* the replay was given up */
    uint64_t closed;   /* number of the last tick, from 1, that is known to have closed a window */
    uint64_t allowed;  /* other ticks that may have closed a window */
    uint64_t altered;  /* intervals that are not the generator's */
};

/* Add a sentence to the findings. */
void audit_find(struct audit *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same as a plausible_sink of a struct audit. */
void audit_take(void *context, const char *sentence);

/* Report a tick that came `off` clock units after its time, or before it; of many the first few. */
void audit_find_altered(struct audit_walk *w, int64_t off);

/* Whether a snapshot's generator and sum are those of the replay; else that is reported. */
bool audit_check_generator(struct audit_walk *w, const struct wire_snapshot *head, uint64_t drawn);

/* Count where in the period of the system clock a tick was due, clock units since start. */
void audit_note_phase(struct audit_walk *w, uint64_t due);
