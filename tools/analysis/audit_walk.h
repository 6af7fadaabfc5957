/* SPDX-License-Identifier: MIT */
/*
 * Shares the state and the checks of an audit between the walk through a run (audit.c) and the two rules by which
 * ticks follow a schedule.
 */
#pragma once

#include "probe/stream/sample_encode.h"
#include "tools/analysis/audit.h"

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
