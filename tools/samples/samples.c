/* SPDX-License-Identifier: MIT */
/* Decodes frames, has them put in order, and adds up what comes out. */
#include "tools/samples/samples.h"

#include <stdlib.h>

#include "probe/stream/decimate.h"
#include "tools/base/alloc.h"
#include "tools/samples/sample_order.h"

struct decoder {
    uint64_t *replayed; /* the caller's, or NULL */
    enum samples_depth depth;
    bool expects_marks;
    bool untimed;     /* a sample came without its time */
    struct sample_order *order; /* NULL: no sample came */
};

/* The frame being decoded: nothing is carried over to the next frame. */
static struct {
    struct sample_batch batch;
    int64_t step[SAMPLE_FRAME_MAX];
} taking;

static uint64_t left_of_replay(const struct decoder *d)
{
    return d->replayed ? SAMPLES_REPLAY - *d->replayed : UINT64_MAX;
}

struct samples *samples_new(const struct sample_setting *setting, uint64_t *replayed, enum samples_depth depth)
{
    struct samples *s;
    struct decoder *d;

    if (!setting->schedule.policy || setting->thin > DECIMATE_MAX)
        return NULL;
    s = xcalloc(1, sizeof(*s));
    d = xrealloc_array(NULL, 1, sizeof(*d));
    *d = (struct decoder){.replayed = replayed, .depth = depth};
    s->setting = *setting;
    s->replay = left_of_replay(d);
    s->decoder = d;
    return s;
}

static void free_decoder(struct samples *s)
{
    struct decoder *d = s->decoder;

    if (d)
        sample_order_free(d->order);
    free(d);
    s->decoder = NULL;
}

void samples_free(struct samples *s)
{
    if (!s)
        return;
    free_decoder(s);
    sample_sums_free(s->sums);
    step_tally_free(s->steps);
    place_index_free(&s->index);
    free(s);
}

void samples_expect_marks(struct samples *s)
{
    ((struct decoder *)s->decoder)->expects_marks = true;
}

/* ---- samples in order ---- */

static uint64_t bits_set(const struct sample_stretch *s)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; s->told && i < s->count; i++)
        sum += stretch_bit(s->told, s->bit + i);
    return sum;
}

/* Whether each sample has a time.  0 less 1 has the highest bit, and so has no time of a run. */
static bool is_timed(const struct sample_stretch *s)
{
    uint64_t below = s->time ? 0 : UINT64_MAX;

    for (uint32_t i = 0; s->time && i < s->count; i++)
        below |= s->time[i] - 1;
    return !(below >> 63);
}

static void take_stretch(void *context, const struct sample_stretch *stretch)
{
    struct samples *s = context;
    struct decoder *d = s->decoder;

    if (!s->count) {
        s->first = stretch->first;
        s->first_time = stretch->time ? stretch->time[0] : 0;
    }
    s->last_time = stretch->time ? stretch->time[stretch->count - 1] : 0;
    s->count += stretch->count;
    s->marked += bits_set(stretch);
    d->untimed |= !is_timed(stretch);
    if (d->depth == SAMPLES_COUNTED)
        return;
    if (!s->sums)
        s->sums = sample_sums_new();
    sample_sums_add(s->sums, stretch);
}

static struct sample_order *order_of(struct samples *s)
{
    struct decoder *d = s->decoder;

    if (!d->order)
        d->order = sample_order_new(d->expects_marks, take_stretch, s);
    return d->order;
}

/* ---- frames ---- */

static void add_steps(struct samples *s)
{
    const struct sample_batch *b = &taking.batch;

    if (!s->steps)
        s->steps = step_tally_new();
    sample_steps(b, taking.step); /* the first sample has no time step */
    for (uint32_t i = 1; i < b->count; i++)
        step_tally_add(s->steps, taking.step[i]);
}

/* Decode one frame, within the limit of the replay. */
static bool decode(const struct samples *s, struct wire_reader *r)
{
    const struct decoder *d = s->decoder;
    bool whole;

    taking.batch.budget = left_of_replay(d);
    whole = sample_decode(&taking.batch, &s->setting, r);
    if (d->replayed)
        *d->replayed = SAMPLES_REPLAY - taking.batch.budget;
    return whole;
}

/* The one that was drawn must be one of them. */
static void add_arrivals(struct samples *s, const struct sample_batch *b)
{
    if (!b->arrivals)
        return;
    s->odd_arrivals += b->arrivals > b->count || b->arrived < b->earliest || b->arrived > b->latest;
    if (!s->arrivals || b->earliest < s->earliest)
        s->earliest = b->earliest;
    if (!s->arrivals || b->latest > s->latest)
        s->latest = b->latest;
    s->arrivals += b->arrivals;
}

static bool add_samples(struct samples *s, struct wire_reader *r)
{
    const struct sample_batch *b = &taking.batch;
    const struct decoder *d = s->decoder;

    if (!decode(s, r))
        return false;
    if (b->too_costly)
        s->timeless += b->count;
    if (s->told < b->first + b->count)
        s->told = b->first + b->count;
    if (s->lost < b->lost)
        s->lost = b->lost;
    add_arrivals(s, b);
    if (b->count && b->timed && d->depth == SAMPLES_STEPS)
        add_steps(s);
    if (b->count)
        sample_order_add(order_of(s), b);
    return true;
}

static bool add_marks(struct samples *s, struct wire_reader *r)
{
    struct wire_masked_samples head;

    if (!wire_read_head(r, &head) || !sample_order_mark(order_of(s), &head))
        return false;
    s->marks++;
    return true;
}

static bool add_places(struct samples *s, struct wire_reader *r)
{
    const bool whole = place_index_add(&s->index, *r);

    s->held = s->index.room * sizeof(*s->index.place);
    return whole;
}

void samples_add_frame(struct samples *s, struct wire_reader *r, size_t length)
{
    s->bytes += length;
    s->damaged += !(r->type == WIRE_PLACES || r->type == WIRE_PACKED_PLACES ? add_places(s, r) :
                    r->type == WIRE_MASKED_SAMPLES ? add_marks(s, r) : add_samples(s, r));
}

/* ---- the end ---- */

void samples_finish(struct samples *s)
{
    struct decoder *d = s->decoder;

    if (d->order) {
        sample_order_end(d->order);
        s->duplicates = sample_order_twice(d->order);
        s->late = sample_order_late(d->order);
    }
    if (s->sums) {
        sample_sums_finish(s->sums, &s->index);
        s->in_handler = s->sums->in_handler;
        s->count -= s->in_handler;
        s->told -= s->in_handler;
        s->held += sample_sums_bytes(s->sums);
    }
    s->timed = s->count && !d->untimed;
    free_decoder(s);
}

void samples_begin_at_first(struct samples *s)
{
    s->told -= s->count ? s->first : 0;
    if (s->lost > s->told - s->count)
        s->lost = s->told - s->count;
}

struct samples_entropy samples_entropy(const struct samples *s)
{
    const size_t places = s->sums ? s->sums->places : 0;
    struct entropy_kind *kind = xrealloc_array(NULL, places + 1, sizeof(*kind));
    struct samples_entropy e;

    for (size_t i = 0; i < places; i++)
        kind[i] = (struct entropy_kind){(int64_t)i, s->sums->place[i].hits};
    e.places = entropy_of_kinds(kind, places, s->count);
    for (size_t i = 0; i < places; i++) {
        const struct sample_place *p = &s->sums->place[i].place;

        kind[i] = (struct entropy_kind){p->known ? (int64_t)p->task * MODES + p->mode : -1, s->sums->place[i].hits};
    }
    e.cells = entropy_of_kinds(kind, places, s->count);
    e.steps = step_tally_bits(s->steps);
    free(kind);
    return e;
}
