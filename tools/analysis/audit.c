/* SPDX-License-Identifier: MIT */
/*
 * Replays a run: takes snapshots and raw samples in the order of their ticks and compares each with
 * the schedule, drawn again up to that tick, by the rule of the run.
 */
#include "tools/analysis/audit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/plausible.h"
#include "tools/base/alloc.h"

/*
 * Bound of the ticks that are drawn again: a constant (7 hours at 10 kHz, a few seconds of work)
 * and a number for each snapshot, which is 64 for each byte of its shortest frame.
 */
#define TICKS_MOST         ((uint64_t)1 << 28)
#define TICKS_PER_SNAPSHOT 2560
#define NO_TICK    UINT64_MAX
#define CHI_SQUARE 43.82 /* 99.9 % of 19 degrees of freedom */

/* ---- Snapshots ---- */

static void check_head(struct audit_walk *w, const struct wire_snapshot *head)
{
    const struct wire_snapshot *before = &w->last_head;

    plausible_head(w->e, head, audit_take, w->a);
    if (w->heads_done) {
        if (head->serial <= before->serial)
            audit_find(w->a, "snapshot %" PRIu64 " comes after snapshot %" PRIu64 ": a frame was repeated",
                        head->serial, before->serial);
        if (head->ticks < before->ticks) {
            audit_find(w->a, "snapshot %" PRIu64 " has fewer ticks than the one before", head->serial);
            return;
        }
    }
    w->closed = head->ticks;
    if (!w->a->replayed)
        return;
    if (w->a->ticks > w->rule->draws(head))
        w->a->unordered++;
    else
        w->rule->head(w, head);
}

/* ---- Raw samples ---- */

/* Samples are numbered: a missing number was lost in the ring or on the line. */
static void check_numbers(struct audit *a, const struct epoch *e)
{
    const struct samples *s = e->samples;
    const uint64_t gone = s->told - s->count;

    if (s->duplicates)
        audit_find(a, "%" PRIu64 " raw samples arrived twice: a frame was repeated", s->duplicates);
    if (s->damaged)
        audit_find(a, "%" PRIu64 " frames of raw samples cannot be the image's", s->damaged);
    if (gone < s->lost)
        audit_find(a, "%" PRIu64 " raw samples are absent, and %" PRIu64 " are told as lost", gone, s->lost);
    a->absent = gone > s->lost ? gone - s->lost : 0;
    if (e->snapshot && e->snapshot->final && e->hello.thin <= 1 && s->told < e->snapshot->ticks)
        audit_find(a, "%" PRIu64 " ticks, and only %" PRIu64 " raw samples are told: ticks were dropped",
                    e->snapshot->ticks, s->told);
}

/* ---- The walk ---- */

static void draw_intervals(struct audit_walk *w, uint64_t count)
{
    const struct wire_hello *h = &w->e->hello;

    if (!w->a->replayed)
        return;
    for (; w->a->ticks < count; w->a->ticks++) {
        w->sum_before = w->schedule.sum;
        w->foreseen += sample_predicted(schedule_next(&w->schedule), h->source_clock, h->lead);
    }
}

/* Replay up to this tick; false: that is too far. */
static bool replay(struct audit_walk *w, uint64_t ticks)
{
    if (w->a->replayed && ticks > TICKS_MOST + TICKS_PER_SNAPSHOT * w->e->head_count) {
        w->a->replayed = false;
        w->a->cut = ticks;
        w->over = true;
        return false;
    }
    draw_intervals(w, ticks);
    return true;
}

/* Check the snapshots for which fewer intervals than this are drawn. */
static void do_heads(struct audit_walk *w, uint64_t ticks)
{
    while (!w->over && w->heads_done < w->heads) {
        const struct wire_snapshot *head = &w->head[w->heads_done % AUDIT_HEADS];

        if (w->rule->draws(head) >= ticks || !replay(w, w->rule->draws(head)))
            return;
        check_head(w, head);
        w->last_head = *head;
        w->heads_done++;
    }
}

/* For one tick the sample comes first, since a window is closed after the sample is taken. */
static void do_sample(struct audit_walk *w)
{
    const struct resolved_sample *t = &w->sample[w->samples_done++ % AUDIT_DELAY];

    do_heads(w, t->tick + 1);
    w->tick = t->tick;
    if (!w->over && replay(w, t->tick + 1))
        w->rule->sample(w, t);
}

void audit_sample(void *walk, const struct resolved_sample *s)
{
    struct audit_walk *const w = walk;

    if (w->samples - w->samples_done == AUDIT_DELAY)
        do_sample(w);
    w->sample[w->samples++ % AUDIT_DELAY] = *s;
}

void audit_foresee(void *walk, const struct wire_snapshot *head)
{
    struct audit_walk *const w = walk;

    if (w->heads < AUDIT_HEADS)
        w->head[w->heads++] = *head;
}

void audit_head(void *walk, const struct wire_snapshot *head)
{
    struct audit_walk *const w = walk;
    const bool foreseen = w->heads_seen++ < w->heads + w->heads_left;

    if (!foreseen && w->heads - w->heads_done == AUDIT_HEADS && !w->over) {
        w->a->unordered++;
        w->heads_left++;
    } else if (!foreseen) {
        w->head[w->heads++ % AUDIT_HEADS] = *head;
    }
    if (!w->e->samples || !w->e->samples->count)
        do_heads(w, NO_TICK);
}

/* With precision= a window is closed each second, shown or not. */
static uint64_t closes_unseen(const struct epoch *e)
{
    const struct snapshot *s = e->snapshot;

    if (!s || !e->words_known || !e->words.precision || !e->hello.clock_hz)
        return 0;
    return (s->end - s->begin) / e->hello.clock_hz + 2;
}

static void judge_phase(struct audit_phase *p)
{
    const double mean = (double)p->samples / AUDIT_BINS;

    p->least = UINT64_MAX;
    for (unsigned i = 0; i < AUDIT_BINS; i++) {
        const double off = (double)p->bin[i] - mean;

        if (p->samples)
            p->chi_square += off * off / mean;
        if (p->bin[i] < p->least)
            p->least = p->bin[i];
        if (p->bin[i] > p->most)
            p->most = p->bin[i];
        p->empty += !p->bin[i];
    }
    p->even = p->chi_square <= CHI_SQUARE;
}

static bool is_one_shot(const struct epoch *e)
{
    return e->has_hello &&
           (!strcmp(e->hello.source.bytes, "pit") || !strcmp(e->hello.source.bytes, "hpet") ||
            !strcmp(e->hello.source.bytes, "lapic"));
}

struct audit_walk *audit_begin(struct audit *a, const struct epoch *e)
{
    struct audit_walk *w = xcalloc(1, sizeof(*w));

    memset(a, 0, sizeof(*a));
    w->e = e;
    w->a = a;
    w->rule = e->hello.unit ? &audit_points : &audit_relative;
    a->replayed = epoch_schedule(e, &w->schedule);
    a->one_shot = is_one_shot(e);
    a->unseen = e->serial_most - e->serials_rising;
    w->allowed = a->unseen + closes_unseen(e);
    if (e->samples)
        check_numbers(a, e);
    plausible_epoch(e, audit_take, a);
    return w;
}

void audit_end(struct audit_walk *w)
{
    while (w->samples_done < w->samples)
        do_sample(w);
    do_heads(w, NO_TICK);
    if (w->altered > AUDIT_ALTERED_TOLD)
        audit_find(w->a, "and %" PRIu64 " more intervals are not the generator's", w->altered - AUDIT_ALTERED_TOLD);
    w->rule->end(w);
    judge_phase(&w->a->phase);
    free(w);
}

/* Gives an audit the records of a stream: the snapshots, and then all in the order of the stream. */

void audit_pass(struct audit *a, struct epoch_pass *p, const struct epoch *e)
{
    struct audit_walk *w = audit_begin(a, e);
    const struct epoch_sink ahead = {.context = w, .on_snapshot = audit_foresee, .second = e->second};
    const struct epoch_sink sink = {.context = w, .on_sample = audit_sample, .on_snapshot = audit_head,
                                    .second = e->second};

    if (p) {
        epoch_pass_run(p, &ahead);
        epoch_pass_run(p, &sink);
    } else if (e->head_count) {
        audit_head(w, &e->last_head);
    }
    audit_end(w);
}
