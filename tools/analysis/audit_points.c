/* SPDX-License-Identifier: MIT */
/*
 * Audits points that are fixed in clock time (docs/ACCOUNTING.md, "Audit"): each sample in time has the time of its point, to
 * the unit; each point up to the end of a window was counted; and what the handlers read of the clock is near the points.
 */
#include <inttypes.h>

#include "tools/analysis/audit_walk.h"

#define EDGE_COUNTS 2 /* a timer loads on edges of its clock, and is armed for whole counts */

/* The first point that is not before the window's end is drawn, too. */
static uint64_t draws(const struct wire_snapshot *head)
{
    return head->points + 1;
}

static uint64_t point_of(const struct audit_walk *w, uint64_t begin, uint64_t sum)
{
    return begin + sum * w->e->hello.unit;
}

/* How far before its point a tick may come, and how far behind it one in time. */
static int64_t room_before(const struct wire_hello *h)
{
    return (int64_t)(EDGE_COUNTS * h->source_clock >> 16) + 1;
}

static int64_t room_behind(const struct wire_hello *h)
{
    return (int64_t)((h->halt_late > h->late ? h->halt_late : h->late) + h->handler) + room_before(h);
}

static bool is_bounded(const struct wire_hello *h)
{
    return h->halt_late != UINT64_MAX; /* an NMI that HLT delayed is in time, however late it is */
}

static void check_end(struct audit_walk *w, const struct wire_snapshot *head)
{
    const uint64_t last = point_of(w, head->begin, w->sum_before), next = point_of(w, head->begin, w->schedule.sum);

    if (head->points && head->end < last)
        audit_find(w->a, "snapshot %" PRIu64 " ends %" PRIu64 " clock units before its last point", head->serial, last - head->end);
    if (is_bounded(&w->e->hello) && (int64_t)(head->end - next) > room_behind(&w->e->hello))
        audit_find(w->a, "snapshot %" PRIu64 " ends %" PRIu64 " clock units behind a point that it does not count", head->serial,
                   head->end - next);
}

static void check_arrivals(struct audit_walk *w, const char *whose, uint64_t serial, int64_t earliest, int64_t latest)
{
    const struct wire_hello *h = &w->e->hello;

    if (earliest < -room_before(h))
        audit_find(w->a, "%s %" PRIu64 ": a tick came %" PRId64 " clock units before its point", whose, serial, -earliest);
    if (is_bounded(h) && latest > room_behind(h))
        audit_find(w->a, "%s %" PRIu64 ": a tick came %" PRId64 " clock units after its point and is not late", whose, serial, latest);
}

static bool arrivals_add_up(const struct wire_snapshot *head)
{
    const __int128 sum = wire_unzigzag(head->arrived), count = head->arrivals;

    return count * wire_unzigzag(head->earliest) <= sum && sum <= count * wire_unzigzag(head->latest);
}

static void check_head(struct audit_walk *w, const struct wire_snapshot *head)
{
    if (head->samples && head->points != head->samples + head->in_handler)
        audit_find(w->a, "snapshot %" PRIu64 ": of %" PRIu64 " points %" PRIu64 " are samples and %" PRIu64 " fell into handlers",
                   head->serial, head->points, head->samples, head->in_handler);
    if (audit_check_generator(w, head, head->points + 1))
        check_end(w, head);
    if (!head->arrivals)
        return;
    check_arrivals(w, "snapshot", head->serial, wire_unzigzag(head->earliest), wire_unzigzag(head->latest));
    if (!arrivals_add_up(head))
        audit_find(w->a, "snapshot %" PRIu64 ": the sum of the arrivals is not between their bounds", head->serial);
}

/* A late one is as late as its wait was long, rounded. */
static void check_sample(struct audit_walk *w, const struct resolved_sample *t)
{
    const uint64_t point = point_of(w, w->last_head.begin ? w->last_head.begin : w->e->last_head.begin, w->schedule.sum);
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
    check_arrivals(w, "raw samples, epoch", w->e->id, s->earliest, s->latest);
    if (s->odd_arrivals)
        audit_find(w->a, "%" PRIu64 " frames of raw samples tell arrivals that contradict each other", s->odd_arrivals);
}

const struct audit_rule audit_points = {draws, check_head, check_sample, check_samples};
