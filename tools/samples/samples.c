/* SPDX-License-Identifier: MIT */
/*
 * Collects the raw samples of an epoch, frame by frame, and makes one list of
 * them when the stream is over: definitions of places may come after their use.
 */
#include "tools/samples/samples.h"

#include <stdlib.h>
#include <string.h>

#include "probe/stream/decimate.h"
#include "probe/stream/sample_decode.h"
#include "tools/base/alloc.h"
#include "tools/samples/entropy.h"
#include "tools/samples/place_set.h"

#define PLACE_MASK  0x7fffffffu /* the index fits: 2^31 places told in full would take 2^33 bytes */

/* A frame that was decoded: its samples begin at `at`, in order of arrival. */
struct frame {
    uint64_t first;
    size_t at;
    uint32_t count;
};

/* A frame that tells of `count` samples whether interrupts were off: its bits begin at `at`. */
struct marks {
    uint64_t first;
    size_t at;
    uint32_t count;
};

/* A hostile stream has thousands of epochs: memory for each grows with its frames only. */
struct decoder {
    uint64_t *replay;      /* the caller's, or NULL */
    bool keeps;            /* the samples, for samples_finish() */
    struct place_set full; /* places told in full */
    struct frame *frame;
    size_t frames, frame_room;
    struct raw_sample *kept; /* as they came; `place` an index, or SAMPLE_PLACES_MAX + which of
                                  full.where[]; samples_finish() takes it */
    size_t count, room;
    struct steps steps;
    struct marks *marks;
    size_t mark_frames;
    uint8_t *bits;
    size_t bytes, byte_room;
};

/* The frame being decoded: nothing is carried over to the next frame. */
static struct {
    struct sample_batch batch;
    int64_t step[SAMPLE_FRAME_MAX];
} taking;

/* ---- Frames ---- */

struct samples *samples_new(const struct sample_setting *setting, uint64_t *replay, bool keeps)
{
    struct samples *s;
    struct decoder *d;

    if (!setting->schedule.policy || setting->thin > DECIMATE_MAX)
        return NULL;
    s = xrealloc_array(NULL, 1, sizeof(*s));
    d = xrealloc_array(NULL, 1, sizeof(*d));
    memset(s, 0, sizeof(*s));
    memset(d, 0, sizeof(*d));
    s->setting = *setting;
    s->replay = replay ? *replay : UINT64_MAX;
    d->replay = replay;
    d->keeps = keeps;
    s->decoder = d;
    return s;
}

void samples_free(struct samples *s)
{
    struct decoder *d;

    if (!s)
        return;
    d = s->decoder;
    place_set_free(&d->full);
    place_index_free(&s->index);
    free(d->frame);
    free(d->kept);
    free(d->steps.bytes);
    free(d->marks);
    free(d->bits);
    free(d);
    free(s->place);
    free(s->sample);
    free(s->run);
    free(s);
}

static void keep_frame(struct decoder *d)
{
    const struct sample_batch *b = &taking.batch;

    if (d->frames == d->frame_room) {
        d->frame_room = 2 * d->frame_room + 4;
        d->frame = xrealloc_array(d->frame, d->frame_room, sizeof(*d->frame));
    }
    d->frame[d->frames++] = (struct frame){b->first, d->count, b->count};
    if (d->room - d->count < b->count) {
        d->room = 2 * d->room + b->count;
        d->kept = xrealloc_array(d->kept, d->room, sizeof(*d->kept));
    }
    if (b->timed) { /* the first sample has no time step */
        sample_steps(b, taking.step);
        steps_add(&d->steps, taking.step + 1, b->count - 1);
    }
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t place = b->place[i];

        if (place >= SAMPLE_PLACES_MAX)
            place = SAMPLE_PLACES_MAX + place_set_number(&d->full, &b->full[place - SAMPLE_PLACES_MAX]);
        d->kept[d->count++] = (struct raw_sample){
            .time = b->timed ? b->time[i] : 0,
            .place = place & PLACE_MASK,
            .pair = b->pair[i],
        };
    }
}

/* Decode one frame, within the limit of the replay. */
static bool decode(const struct samples *s, struct wire_reader *r)
{
    const struct decoder *d = s->decoder;
    bool whole;

    taking.batch.budget = d->replay ? *d->replay : UINT64_MAX;
    whole = sample_decode(&taking.batch, &s->setting, r);
    if (d->replay)
        *d->replay = taking.batch.budget;
    return whole;
}

static bool take_marks(struct decoder *d, struct wire_reader *r)
{
    struct wire_masked_samples head;

    if (!wire_read_head(r, &head) || head.count > SAMPLE_FRAME_MAX || head.first >= SAMPLE_NUMBER_MAX ||
        head.off.length != (head.count + 7) / 8)
        return false;
    if (!d->keeps)
        return true;
    while (d->byte_room - d->bytes < head.off.length) {
        d->byte_room = 2 * d->byte_room + SAMPLE_FRAME_MAX / 8;
        d->bits = xrealloc_array(d->bits, d->byte_room, 1);
    }
    memcpy(d->bits + d->bytes, head.off.bytes, head.off.length);
    GROW(d->marks, d->mark_frames);
    d->marks[d->mark_frames++] = (struct marks){head.first, d->bytes, (uint32_t)head.count};
    d->bytes += head.off.length;
    return true;
}

void samples_add_frame(struct samples *s, struct wire_reader *r, size_t length)
{
    struct decoder *d = s->decoder;

    s->bytes += length;
    if (r->type == WIRE_PLACES) {
        s->damaged += !place_index_add(&s->index, *r);
        s->held = s->index.room * sizeof(*s->index.place);
    } else if (r->type == WIRE_MASKED_SAMPLES) {
        if (take_marks(d, r))
            s->marks++;
        else
            s->damaged++;
    } else if (!decode(s, r)) {
        s->damaged++;
    } else {
        if (taking.batch.too_costly)
            s->timeless += taking.batch.count;
        if (s->told < taking.batch.first + taking.batch.count)
            s->told = taking.batch.first + taking.batch.count;
        if (s->lost < taking.batch.lost)
            s->lost = taking.batch.lost;
        if (taking.batch.count && d->keeps)
            keep_frame(d);
        s->timed |= taking.batch.count != 0;
        s->untimed |= taking.batch.count && !taking.batch.timed;
    }
}

/* ---- The end ---- */

/* Sorted by number; of two with the same first number, the one that came first. */
static int by_number(const void *a, const void *b)
{
    const struct frame *one = a, *other = b;

    if (one->first != other->first)
        return one->first < other->first ? -1 : 1;
    return one->at < other->at ? -1 : one->at > other->at;
}

/* Whether the frames arrived in order, without duplicate samples. */
static bool in_order(const struct decoder *d)
{
    for (size_t i = 1; i < d->frames; i++)
        if (d->frame[i].first < d->frame[i - 1].first + d->frame[i - 1].count)
            return false;
    return true;
}

static void add_run(struct samples *s, uint64_t first, size_t at)
{
    s->run = xgrow(s->run, s->runs, sizeof(*s->run));
    s->run[s->runs++] = (struct sample_run){first, at};
}

/* Put the samples of the frames in order: copied, unless they are at `to` already. */
static void take_frames(struct samples *s, const struct decoder *d, struct raw_sample *to)
{
    uint64_t next = 0; /* number past the last one taken */

    for (size_t i = 0; i < d->frames; i++) {
        const struct frame *f = &d->frame[i];
        const uint64_t end = f->first + f->count;
        const uint64_t begin = f->first > next ? f->first : next < end ? next : end;
        const size_t fresh = (size_t)(end - begin);

        s->duplicates += f->count - fresh;
        if (!fresh)
            continue;
        if (!s->runs || begin != next)
            add_run(s, begin, s->count);
        if (to != d->kept)
            memcpy(to + s->count, d->kept + f->at + (begin - f->first), fresh * sizeof(*to));
        s->count += fresh;
        next = end;
    }
}

/* Order the samples, each once; their places are not resolved yet. */
static void order(struct samples *s, struct decoder *d)
{
    s->sample = d->kept;
    if (!in_order(d)) {
        qsort(d->frame, d->frames, sizeof(*d->frame), by_number);
        s->sample = xrealloc_array(NULL, d->count, sizeof(*s->sample));
    }
    take_frames(s, d, s->sample);
    if (s->sample != d->kept)
        free(d->kept);
    d->kept = NULL;
    free(d->frame);
    d->frame = NULL;
}

static const struct sample_run *run_of(const struct samples *s, size_t i)
{
    size_t low = 0, high = s->runs; /* the run is in run[low] .. run[high - 1] */

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        *(s->run[middle].at <= i ? &low : &high) = middle;
    }
    return &s->run[low];
}

uint64_t samples_number(const struct samples *s, size_t i)
{
    const struct sample_run *run = run_of(s, i);

    return run->first + (i - run->at);
}

uint64_t samples_tick(const struct samples *s, size_t i)
{
    return decimate_tick(samples_number(s, i), s->setting.thin, s->setting.seed);
}

/* Whether i needs a number: it is a place, or an index that a sample used. */
static const struct sample_location *told(const struct samples *s, size_t i)
{
    const struct decoder *d = s->decoder;

    return i >= SAMPLE_PLACES_MAX ? &d->full.where[i - SAMPLE_PLACES_MAX] : place_index_find(&s->index, i);
}

/* Add a place to the list for reports; returns its number. */
static uint32_t add_place(struct samples *s, size_t *room, struct sample_place place)
{
    if (s->places == *room) {
        *room = 2 * *room + 16;
        s->place = xrealloc_array(s->place, *room, sizeof(*s->place));
    }
    s->place[s->places] = place;
    return (uint32_t)s->places++;
}

/*
 * The number in place[] for each place of a sample: UINT32_MAX if no sample used it.  A place that
 * was told in full before it had an index gets the same number as the index.
 */
static void number_places(struct samples *s, struct decoder *d, uint32_t *number)
{
    struct place_set known = {0};
    uint32_t *at = xrealloc_array(NULL, SAMPLE_PLACES_MAX + d->full.count, sizeof(*at));
    size_t room = 0;

    for (size_t i = 0; i < SAMPLE_PLACES_MAX + d->full.count; i++) {
        const struct sample_location *w = told(s, i);
        const uint32_t which = (uint32_t)known.count;

        if (!w) {
            if (number[i] != UINT32_MAX)
                number[i] = add_place(s, &room, (struct sample_place){.known = false});
            continue;
        }
        if (place_set_number(&known, w) == which)
            at[which] = add_place(s, &room, sample_place_of(w));
        number[i] = at[place_set_number(&known, w)];
    }
    place_set_free(&known);
    free(at);
}

static void resolve(struct samples *s, struct decoder *d)
{
    const size_t places = SAMPLE_PLACES_MAX + d->full.count;
    uint32_t *number = xrealloc_array(NULL, places, sizeof(*number));

    memset(number, 0xff, places * sizeof(*number));
    for (size_t i = 0; i < s->count; i++)
        number[s->sample[i].place] = 0;
    number_places(s, d, number);
    s->timed = s->count > 0;
    for (size_t i = 0; i < s->count; i++) {
        s->sample[i].place = number[s->sample[i].place] & PLACE_MASK;
        s->unresolved += !s->place[s->sample[i].place].known;
        s->timed = s->timed && s->sample[i].time;
    }
    free(number);
}

/* Where the sample of a number is in sample[]; SIZE_MAX: it did not arrive. */
static size_t sample_of_number(const struct samples *s, uint64_t number)
{
    size_t low = 0, high = s->runs, end, at;

    while (low < high) { /* run[0] .. run[low - 1] begin at the number or before it */
        const size_t middle = low + (high - low) / 2;

        if (s->run[middle].first <= number)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return SIZE_MAX;
    end = low < s->runs ? s->run[low].at : s->count;
    at = s->run[low - 1].at;
    return number - s->run[low - 1].first < end - at ? at + (size_t)(number - s->run[low - 1].first) : SIZE_MAX;
}

/* A sample with interrupts off has a place of its own, so that reports by place tell the two apart. */
static void mark(struct samples *s, size_t i, uint32_t *masked, size_t *room)
{
    const uint32_t place = s->sample[i].place;

    if (s->place[place].masked || !s->place[place].known)
        return;
    if (masked[place] == UINT32_MAX) {
        struct sample_place copy = s->place[place];

        copy.masked = true;
        masked[place] = add_place(s, room, copy);
    }
    s->sample[i].place = masked[place] & PLACE_MASK;
}

static void apply_marks(struct samples *s, const struct decoder *d)
{
    size_t room = s->places;
    uint32_t *masked = xrealloc_array(NULL, s->places + 1, sizeof(*masked));

    memset(masked, 0xff, (s->places + 1) * sizeof(*masked));
    for (size_t f = 0; f < d->mark_frames; f++)
        for (uint32_t n = 0; n < d->marks[f].count; n++) {
            const size_t i = sample_of_number(s, d->marks[f].first + n);

            s->marked += i != SIZE_MAX;
            if (i != SIZE_MAX && d->bits[d->marks[f].at + n / 8] >> n % 8 & 1)
                mark(s, i, masked, &room);
        }
    free(masked);
}

void samples_finish(struct samples *s)
{
    struct decoder *d = s->decoder;

    if (!d->keeps) {
        s->timed = s->timed && !s->untimed;
        return;
    }
    order(s, d);
    resolve(s, d);
    if (d->mark_frames)
        apply_marks(s, d);
}

struct samples_entropy samples_entropy(const struct samples *s)
{
    const struct decoder *d = s->decoder;
    struct entropy_kind *kind = xrealloc_array(NULL, s->places + 1, sizeof(*kind));
    struct samples_entropy e;

    for (size_t i = 0; i < s->places; i++)
        kind[i] = (struct entropy_kind){.what = (int64_t)i};
    for (size_t i = 0; i < s->count; i++)
        kind[s->sample[i].place].count++;
    e.places = entropy_of_kinds(kind, s->places, s->count);
    for (size_t i = 0; i < s->places; i++) {
        const struct sample_place *p = &s->place[i];

        kind[i].what = p->known ? (int64_t)p->task * MODES + p->mode : -1;
    }
    e.cells = entropy_of_kinds(kind, s->places, s->count);
    e.steps = entropy_of_steps(&d->steps);
    free(kind);
    return e;
}
