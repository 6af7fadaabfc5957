/* SPDX-License-Identifier: MIT */
/* Audits ticks by the two rules by which they follow a schedule (docs/ACCOUNTING.md, "Audit"). */
#include "tools/analysis/audit.h"

#include <inttypes.h>

#include "tools/analysis/plausible.h"

/*
 * Audits points that are fixed in clock time (docs/ACCOUNTING.md, "Audit"): each sample in time has the time of its
 * point, to the unit; each point up to the end of a window was counted;
 * and what the handlers read of the clock is near the points.
 */

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

/*
 * Audits intervals that begin in the handler: those of streams below minor 8 and of arm=relative.  The time of a tick
 * is predicted from that of the tick before it, so that the handlers' time and lateness have tolerances.
 */

#define HANDLER_PART 8       /* 1/8: how far the handlers' time may be from the measured time */
#define CRYSTAL_PART 10000   /* 1/10000 of the window: drift of two crystals after the measurement */
#define CLOSE_HANDLERS 64    /* a tick that closes a window takes at most as long as 64 handlers */
#define EDGE_COUNTS 3        /* a timer loads and latches on edges of its clock */

static uint64_t draws_relative(const struct wire_snapshot *head)
{
    return head->ticks;
}

/*
 * The time from expiries to the armings behind them, of all ticks but the last: what the exact table has of their
 * handlers, less what is behind the armings; else what was measured of one.
 * With two sources MONITOR has the handlers of both.
 */
static uint64_t before_armings(const struct epoch *e, const struct wire_snapshot *head)
{
    const struct wire_hello *h = &e->hello;
    const uint64_t ticks = head->ticks - 1, behind = ticks * (h->handler - h->lead);

    return head->monitor > behind && !e->second && !e->second_source ? head->monitor - behind : ticks * h->lead;
}

int64_t audit_drift(const struct epoch *e, const struct wire_snapshot *head)
{
    const struct wire_hello *h = &e->hello;
    const unsigned __int128 counted = (unsigned __int128)head->intervals * h->source_clock >> 16;

    if (!head->ticks)
        return 0;
    return (int64_t)(head->end - head->begin - (uint64_t)counted - before_armings(e, head) - head->excess);
}

/*
 * Tolerance over the whole window: by how much each tick may differ from the measured handler, and
 * how late a tick may be before it counts as late.
 */
static void check_window(struct audit_walk *w, const struct wire_snapshot *head)
{
    const struct wire_hello *h = &w->e->hello;
    const int64_t drift = audit_drift(w->e, head);
    const uint64_t each = h->lead / HANDLER_PART + (h->source_clock >> 17) +
                          (h->late > h->floor ? h->late - h->floor : 0);
    const uint64_t closes = (head->serial + w->allowed + 2) * h->handler * CLOSE_HANDLERS;
    const uint64_t room = head->ticks * each + (head->end - head->begin) / CRYSTAL_PART + closes;

    if (w->a->one_shot && (drift < 0 ? (uint64_t)-drift : (uint64_t)drift) > room)
        audit_find(w->a, "snapshot %" PRIu64 ": intervals, handlers and lateness leave %" PRId64
                    " clock units of its window, at most %" PRIu64 " can be", head->serial, drift, room);
}

static void check_relative_head(struct audit_walk *w, const struct wire_snapshot *head)
{
    if (audit_check_generator(w, head, head->ticks))
        check_window(w, head);
}

/* ---- Raw samples ---- */

/* Whether a tick may come later than predicted: it is late, or its source was not armed at once. */
static bool is_excused(struct audit_walk *w, const struct resolved_sample *t, bool far)
{
    const struct sample_place *place = &t->place;

    if (!place->known || place->delay != DELAY_NONE || w->tick == 1 || w->closed == w->tick)
        return true;
    if (far && w->e->hello.halt_late == UINT64_MAX && place->task == ROW_IDLE)
        return true; /* a tick delivered as NMI that HLT delayed does not count as late */
    if (!far || !w->allowed)
        return false;
    w->allowed--;
    return true;
}

/* Rounding takes half a unit on either side. */
static int64_t room_below(const struct wire_hello *h)
{
    return (int64_t)(h->lead + h->stamp + (EDGE_COUNTS * h->source_clock >> 16) + 1);
}

static int64_t room_above(const struct wire_hello *h)
{
    const uint64_t late = h->halt_late != UINT64_MAX && h->halt_late > h->late ? h->halt_late : h->late;

    return room_below(h) + (int64_t)(h->lead + late);
}

static void note_step(struct audit *a, int64_t off)
{
    if (!a->checked || off < a->shortest)
        a->shortest = off;
    if (!a->checked || off > a->longest)
        a->longest = off;
    a->checked++;
}

static void check_interval(struct audit_walk *w, const struct resolved_sample *t, uint64_t ticks, int64_t off)
{
    const struct wire_hello *h = &w->e->hello;
    const bool far = off > room_above(h);

    if (off < -room_below(h) * (int64_t)ticks) {
        audit_find_altered(w, off);
    } else if (ticks > 1) {
        w->a->spanned++;
    } else if (is_excused(w, t, far)) {
        w->a->checked++;
        w->a->excused++;
    } else if (far) {
        audit_find_altered(w, off);
    } else {
        note_step(w->a, off);
    }
}

static void check_relative_sample(struct audit_walk *w, const struct resolved_sample *t)
{
    uint64_t expiry = t->time;

    if (t->time && w->last_time && w->a->replayed && w->a->one_shot) {
        const int64_t off = (int64_t)(t->time - w->last_time - w->foreseen);

        check_interval(w, t, w->tick - w->before, off);
        if (t->place.delay != DELAY_NONE && off > 0)
            expiry -= (uint64_t)off;
    }
    if (t->time)
        audit_note_phase(w, expiry);
    w->foreseen = 0;
    w->before = w->tick;
    w->last_time = t->time;
}

static void end(struct audit_walk *w)
{
    (void)w;
}

const struct audit_rule audit_relative = {draws_relative, check_relative_head, check_relative_sample, end};
