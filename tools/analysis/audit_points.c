/* SPDX-License-Identifier: MIT */
/*
 * Audits points that are fixed in clock time (docs/ACCOUNTING.md, "Audit"): each sample in time has the time of its
 * point, to the unit; each point up to the end of a window was counted;
 * and what the handlers read of the clock is near the points.
 */
#include <inttypes.h>

#include "tools/analysis/audit_walk.h"
#include "tools/analysis/plausible.h"

/* The first point that is not before the window's end is drawn, too. */
static uint64_t draws(const struct wire_snapshot *head)
{
    return head->points + 1;
}

static uint64_t point_of(const struct audit_walk *w, uint64_t begin, uint64_t sum)
{
    return begin + sum * w->e->hello.unit;
}

static void check_end(struct audit_walk *w, const struct wire_snapshot *head)
{
    const uint64_t last = point_of(w, head->begin, w->sum_before), next = point_of(w, head->begin, w->schedule.sum);

    /* A tick that counts what an earlier handler left, and closes the window, may come before the last of that. */
    if (head->points && (int64_t)(last - head->end) > plausible_before(w->e))
        audit_find(w->a, "snapshot %" PRIu64 " ends %" PRIu64 " clock units before its last point", head->serial,
                   last - head->end);
    if ((int64_t)(head->end - next) > plausible_behind(w->e))
        audit_find(w->a, "snapshot %" PRIu64 " ends %" PRIu64 " clock units behind a point that it does not count",
                   head->serial, head->end - next);
}

static void check_head(struct audit_walk *w, const struct wire_snapshot *head)
{
    if (audit_check_generator(w, head, head->points + 1))
        check_end(w, head);
}

/* A late one is as late as its wait was long, rounded. */
static void check_sample(struct audit_walk *w, const struct resolved_sample *t)
{
    const uint64_t point = point_of(w, w->last_head.begin ? w->last_head.begin : w->e->last_head.begin,
                                    w->schedule.sum);
    const bool late = !t->place.known || t->place.delay != DELAY_NONE;
    const int64_t off = (int64_t)(t->time - point);

    audit_note_phase(w, point);
    if (!t->time)
        return;
    w->a->checked++;
    w->a->excused += late;
    if (late ? off < -(int64_t)w->e->hello.stamp : off != 0)
        audit_find_altered(w, off);
}

static void check_samples(struct audit_walk *w)
{
    const struct samples *s = w->e->samples;

    if (!s || !s->arrivals)
        return;
    w->a->shortest = s->earliest;
    w->a->longest = s->latest;
    plausible_arrivals(w->e, "raw samples, epoch", w->e->id, s->earliest, s->latest, audit_take, w->a);
    if (s->odd_arrivals)
        audit_find(w->a, "%" PRIu64 " frames of raw samples tell arrivals that contradict each other",
                   s->odd_arrivals);
}

const struct audit_rule audit_points = {draws, check_head, check_sample, check_samples};
