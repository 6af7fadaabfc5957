/* SPDX-License-Identifier: MIT */
/*
 * Replays a run: takes snapshots and raw samples in the order of their ticks and compares each with
 * the sum of the generator's intervals up to that tick.
 */
#include "tools/analysis/audit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"


/*
 * Bound of the ticks that are drawn again: a constant (7 hours at 10 kHz, a few seconds of work)
 * and a number for each snapshot, which is 64 for each byte of its shortest frame.
 */
#define TICKS_MOST         ((uint64_t)1 << 28)
#define TICKS_PER_SNAPSHOT 2560
#define EXTRA_INTERVALS_MOST  4096                /* ticks that may be missing from a count */
#define NO_TICK     UINT64_MAX
#define CHI_SQUARE  43.82               /* 99.9 % of 19 degrees of freedom */
#define HANDLER_PART 8                  /* 1/8: how far the handlers' time may be from the measured time */
#define CRYSTAL_PART 10000              /* 1/10000 of the window: drift of two crystals after the measurement */
#define CLOSE_HANDLERS 64                /* a tick that closes a window takes at most as long as 64 handlers */
#define ALTERED_TOLD 3                  /* altered intervals that are reported one by one */
#define HEADS_WAITING 4096              /* snapshots that may wait for samples */
#define AUDIT_DELAY ((size_t)1 << 15)   /* samples that may come before a snapshot of fewer ticks: 3 s at 10 kHz */
#define EDGE_COUNTS 3                   /* a timer loads and latches on edges of its clock */

struct audit_walk {
    const struct epoch *e;
    struct audit *a;
    struct schedule schedule;
    uint64_t foreseen; /* clock units since the last sample, or the first arming */
    struct wire_snapshot head[HEADS_WAITING]; /* a ring: from heads_done on, up to heads */
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

static void __attribute__((format(printf, 2, 3))) add_finding(struct audit *a, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (a->faults < AUDIT_FINDINGS)
        vsnprintf(a->finding[a->faults], AUDIT_SENTENCE, format, arguments);
    va_end(arguments);
    a->faults++;
}

/* ---- Snapshots ---- */

static uint64_t generator_of(const struct schedule *s)
{
    struct schedule_state state;

    schedule_save(s, &state);
    return state.generator;
}

static bool generator_matches(const struct schedule *s, const struct wire_snapshot *head)
{
    return generator_of(s) == head->generator && s->sum == head->intervals;
}

/* How many more intervals the generator gave than there are ticks; 0: its state is another generator's. */
static unsigned extra_intervals(struct schedule s, const struct wire_snapshot *head)
{
    for (unsigned more = 1; more <= EXTRA_INTERVALS_MOST; more++) {
        schedule_next(&s);
        if (generator_matches(&s, head))
            return more;
    }
    return 0;
}

static void judge_schedule(struct audit_walk *w, const struct wire_snapshot *head)
{
    const unsigned more = extra_intervals(w->schedule, head);

    if (more)
        add_finding(w->a, "snapshot %" PRIu64 " has %" PRIu64 " ticks, and the generator gave %u more "
                    "intervals: ticks were dropped", head->serial, head->ticks, more);
    else if (generator_of(&w->schedule) == head->generator)
        add_finding(w->a, "snapshot %" PRIu64 ": the intervals of %" PRIu64 " ticks add to %" PRIu64
                    " counts, those of the generator to %" PRIu64 ": an interval was altered",
                    head->serial, head->ticks, head->intervals, w->schedule.sum);
    else
        add_finding(w->a, "snapshot %" PRIu64 ": after %" PRIu64 " ticks the generator stands at %" PRIu64
                    ", replayed at %" PRIu64 ": the ticks are not its own",
                    head->serial, head->ticks, head->generator, generator_of(&w->schedule));
}

/* Check the counters of one snapshot against each other. */
static void check_counters(struct audit *a, const struct wire_snapshot *head)
{
    if (head->samples && head->samples != head->ticks)
        add_finding(a, "snapshot %" PRIu64 ": %" PRIu64 " ticks and %" PRIu64 " samples",
                    head->serial, head->ticks, head->samples);
    if (head->late > head->ticks || head->lateness < head->excess)
        add_finding(a, "snapshot %" PRIu64 ": what it tells of late ticks does not add up", head->serial);
    if (head->end < head->begin || (head->ticks && (head->first < head->begin || head->first > head->end)))
        add_finding(a, "snapshot %" PRIu64 ": its first and last tick are not in its window", head->serial);
}

/*
 * The time from expiries to the armings behind them, of all ticks but the last: what the exact table has of their handlers, less
 * what is behind the armings; else what was measured of one.  With two sources MONITOR has the handlers of both.
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
        add_finding(w->a, "snapshot %" PRIu64 ": intervals, handlers and lateness leave %" PRId64
                    " clock units of its window, at most %" PRIu64 " can be", head->serial, drift, room);
}

static void check_head(struct audit_walk *w, const struct wire_snapshot *head)
{
    const struct wire_snapshot *before = &w->last_head;

    check_counters(w->a, head);
    if (w->heads_done) {
        if (head->serial <= before->serial)
            add_finding(w->a, "snapshot %" PRIu64 " comes after snapshot %" PRIu64 ": a frame was repeated",
                        head->serial, before->serial);
        if (head->ticks < before->ticks) {
            add_finding(w->a, "snapshot %" PRIu64 " has fewer ticks than the one before", head->serial);
            return;
        }
    }
    w->closed = head->ticks;
    if (!w->a->replayed)
        return;
    if (w->a->ticks > head->ticks) {
        w->a->unordered++;
        return;
    }
    if (generator_matches(&w->schedule, head)) {
        w->a->agreed++;
        check_window(w, head);
    } else {
        judge_schedule(w, head);
    }
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

/* After one dropped tick all later ticks are at the wrong time, so only the first few are reported. */
static void find_altered(struct audit_walk *w, int64_t off)
{
    if (w->altered++ >= ALTERED_TOLD)
        return;
    if (off < 0)
        add_finding(w->a, "tick %" PRIu64 " came %" PRId64 " clock units before its time: its interval "
                    "was altered", w->tick, -off);
    else
        add_finding(w->a, "tick %" PRIu64 " came %" PRId64 " clock units after its time and is not late: "
                    "its interval was altered", w->tick, off);
}

static void check_interval(struct audit_walk *w, const struct resolved_sample *t, uint64_t ticks, int64_t off)
{
    const struct wire_hello *h = &w->e->hello;
    const bool far = off > room_above(h);

    if (off < -room_below(h) * (int64_t)ticks) {
        find_altered(w, off);
    } else if (ticks > 1) {
        w->a->spanned++;
    } else if (is_excused(w, t, far)) {
        w->a->checked++;
        w->a->excused++;
    } else if (far) {
        find_altered(w, off);
    } else {
        note_step(w->a, off);
    }
}

/* The time at which the tick expired; for a late tick it is computed from the sample and its delay. */
static void note_phase(struct audit_walk *w, uint64_t expiry)
{
    const struct wire_hello *h = &w->e->hello;
    struct audit_phase *p = &w->a->phase;
    const uint64_t period = h->clock_period >> 16;
    double at;

    if (!period || !h->clock_origin)
        return;
    at = (double)(int64_t)(expiry - h->clock_origin) * 65536.0 / (double)h->clock_period;
    at -= (double)(int64_t)at;
    p->bin[(unsigned)((at < 0 ? at + 1 : at) * AUDIT_BINS) % AUDIT_BINS]++;
    p->samples++;
}

static void check_sample(struct audit_walk *w, const struct resolved_sample *t)
{
    uint64_t expiry = t->time;

    if (t->time && w->last_time && w->a->replayed && w->a->one_shot) {
        const int64_t off = (int64_t)(t->time - w->last_time - w->foreseen);

        check_interval(w, t, w->tick - w->before, off);
        if (t->place.delay != DELAY_NONE && off > 0)
            expiry -= (uint64_t)off;
    }
    if (t->time)
        note_phase(w, expiry);
    w->foreseen = 0;
    w->before = w->tick;
    w->last_time = t->time;
}

/* Samples are numbered: a missing number was lost in the ring or on the line. */
static void check_numbers(struct audit *a, const struct epoch *e)
{
    const struct samples *s = e->samples;
    const uint64_t gone = s->told - s->count;

    if (s->duplicates)
        add_finding(a, "%" PRIu64 " raw samples arrived twice: a frame was repeated", s->duplicates);
    if (s->damaged)
        add_finding(a, "%" PRIu64 " frames of raw samples cannot be the image's", s->damaged);
    if (gone < s->lost)
        add_finding(a, "%" PRIu64 " raw samples are absent, and %" PRIu64 " are told as lost", gone, s->lost);
    a->absent = gone > s->lost ? gone - s->lost : 0;
    if (e->snapshot && e->snapshot->final && e->hello.thin <= 1 && s->told < e->snapshot->ticks)
        add_finding(a, "%" PRIu64 " ticks, and only %" PRIu64 " raw samples are told: ticks were dropped",
                    e->snapshot->ticks, s->told);
}

/* ---- The walk ---- */

static void draw_intervals(struct audit_walk *w, uint64_t ticks)
{
    const struct wire_hello *h = &w->e->hello;

    if (!w->a->replayed)
        return;
    for (; w->a->ticks < ticks; w->a->ticks++)
        w->foreseen += sample_predicted(schedule_next(&w->schedule), h->source_clock, h->lead);
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

/* Check the snapshots that have fewer ticks than this. */
static void do_heads(struct audit_walk *w, uint64_t ticks)
{
    while (!w->over && w->heads_done < w->heads) {
        const struct wire_snapshot *head = &w->head[w->heads_done % HEADS_WAITING];

        if (head->ticks >= ticks || !replay(w, head->ticks))
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
        check_sample(w, t);
}

void audit_sample(struct audit_walk *w, const struct resolved_sample *s)
{
    if (w->samples - w->samples_done == AUDIT_DELAY)
        do_sample(w);
    w->sample[w->samples++ % AUDIT_DELAY] = *s;
}

void audit_foresee(struct audit_walk *w, const struct wire_snapshot *head)
{
    if (w->heads < HEADS_WAITING)
        w->head[w->heads++] = *head;
}

void audit_head(struct audit_walk *w, const struct wire_snapshot *head)
{
    const bool foreseen = w->heads_seen++ < w->heads + w->heads_left;

    if (!foreseen && w->heads - w->heads_done == HEADS_WAITING && !w->over) {
        w->a->unordered++;
        w->heads_left++;
    } else if (!foreseen) {
        w->head[w->heads++ % HEADS_WAITING] = *head;
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

static void check_buckets(struct audit *a, const struct epoch *e)
{
    uint64_t sum = 0;

    for (unsigned i = 0; e->snapshot && i < SNAPSHOT_BUCKETS; i++)
        sum += e->snapshot->bucket[i];
    if (e->snapshot && sum != e->snapshot->late)
        add_finding(a, "%" PRIu64 " late ticks, and %" PRIu64 " in the histogram of lateness",
                    e->snapshot->late, sum);
}

struct audit_walk *audit_begin(struct audit *a, const struct epoch *e)
{
    struct audit_walk *w = xrealloc_array(NULL, 1, sizeof(*w));

    memset(a, 0, sizeof(*a));
    memset(w, 0, sizeof(*w));
    w->e = e;
    w->a = a;
    a->replayed = epoch_schedule(e, &w->schedule);
    a->one_shot = is_one_shot(e);
    a->unseen = e->serial_most - e->serials_rising;
    w->allowed = a->unseen + closes_unseen(e);
    if (e->samples)
        check_numbers(a, e);
    check_buckets(a, e);
    return w;
}

void audit_end(struct audit_walk *w)
{
    while (w->samples_done < w->samples)
        do_sample(w);
    do_heads(w, NO_TICK);
    if (w->altered > ALTERED_TOLD)
        add_finding(w->a, "and %" PRIu64 " more intervals are not the generator's", w->altered - ALTERED_TOLD);
    judge_phase(&w->a->phase);
    free(w);
}
