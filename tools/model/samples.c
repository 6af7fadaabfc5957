/* SPDX-License-Identifier: MIT */
/*
 * Collects the raw samples of an epoch, frame by frame, and makes one list of
 * them when the stream is over: definitions of places may come after their use.
 */
#include "tools/model/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/stream/decimate.h"
#include "probe/stream/sample_decode.h"
#include "tools/base/cli.h"

/* A frame that was taken: its samples are kept[at] and on. */
struct frame {
    uint64_t first;
    size_t at;
    uint32_t count;
};

/* A sample as it came. */
struct kept {
    uint64_t time;  /* 0: not told */
    int64_t step;
    uint32_t place; /* an index, or SAMPLE_PLACES_MAX + which of full.where[] */
    bool pair;
    bool stepped;   /* it has a step: it is not the first of its frame */
};

/* Places that are told apart; slot[] finds them and holds their numbers + 1. */
struct set {
    struct sample_where *where;
    uint32_t *slot;
    size_t count, room; /* `room` a power of two: slots; places are half as many */
};

/* What an index means, as far as it was told. */
struct meaning {
    struct sample_where where;
    bool defined;
};

/* A hostile stream has thousands of epochs: what is kept of each has the size of what it told. */
struct decoder {
    struct sample_setting setting;
    uint64_t *replay;      /* the caller's, or NULL */
    struct meaning *place; /* by index */
    size_t place_room;     /* at most SAMPLE_PLACES_MAX */
    struct set full; /* places told in full */
    struct frame *frame;
    size_t frames, frame_room;
    struct kept *kept;
    size_t count, room;
};

/* The frame that is being taken: nothing of it is kept from one to the next. */
static struct {
    struct sample_batch batch;
    int64_t step[SAMPLE_FRAME_MAX];
} taking;

/* ---- Sets of places ---- */

static size_t hash(const struct sample_where *w)
{
    uint64_t x = (w->pc ^ ((uint64_t)w->task << 24 | w->mode)) * 0x9e3779b97f4a7c15u;

    return (size_t)((x ^ x >> 32 ^ w->task) * 0xbf58476d1ce4e5b9u >> 20);
}

static bool same(const struct sample_where *a, const struct sample_where *b)
{
    return a->pc == b->pc && a->task == b->task && a->mode == b->mode;
}

static size_t slot_of(const struct set *set, const struct sample_where *w)
{
    size_t slot = hash(w) & (set->room - 1);

    while (set->slot[slot] && !same(&set->where[set->slot[slot] - 1], w))
        slot = (slot + 1) & (set->room - 1);
    return slot;
}

static void grow(struct set *set)
{
    set->room = set->room ? 2 * set->room : 16;
    set->where = need(set->where, set->room / 2, sizeof(*set->where));
    free(set->slot);
    set->slot = need(NULL, set->room, sizeof(*set->slot));
    memset(set->slot, 0, set->room * sizeof(*set->slot));
    for (size_t i = 0; i < set->count; i++)
        set->slot[slot_of(set, &set->where[i])] = (uint32_t)i + 1;
}

/* The number of a place in the set, into which it is put. */
static uint32_t number_of(struct set *set, const struct sample_where *w)
{
    size_t slot;

    if (set->count == set->room / 2)
        grow(set);
    slot = slot_of(set, w);
    if (!set->slot[slot]) {
        set->where[set->count++] = *w;
        set->slot[slot] = (uint32_t)set->count;
    }
    return set->slot[slot] - 1;
}

static void set_free(struct set *set)
{
    free(set->where);
    free(set->slot);
}

/* ---- Frames ---- */

struct samples *samples_new(const struct sample_setting *setting, uint64_t *replay)
{
    struct samples *s;
    struct decoder *d;

    if (!setting->schedule.policy || setting->thin > THIN_MAX)
        return NULL;
    s = need(NULL, 1, sizeof(*s));
    d = need(NULL, 1, sizeof(*d));
    memset(s, 0, sizeof(*s));
    memset(d, 0, sizeof(*d));
    d->setting = *setting;
    d->replay = replay;
    s->decoder = d;
    return s;
}

void samples_free(struct samples *s)
{
    struct decoder *d;

    if (!s)
        return;
    d = s->decoder;
    set_free(&d->full);
    free(d->place);
    free(d->frame);
    free(d->kept);
    free(d);
    free(s->place);
    free(s->sample);
    free(s);
}

static void keep_frame(struct decoder *d)
{
    const struct sample_batch *b = &taking.batch;

    if (d->frames == d->frame_room) {
        d->frame_room = 2 * d->frame_room + 4;
        d->frame = need(d->frame, d->frame_room, sizeof(*d->frame));
    }
    d->frame[d->frames++] = (struct frame){b->first, d->count, b->count};
    if (d->room - d->count < b->count) {
        d->room = 2 * d->room + b->count;
        d->kept = need(d->kept, d->room, sizeof(*d->kept));
    }
    if (b->timed)
        sample_steps(b, taking.step);
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t place = b->place[i];

        if (place >= SAMPLE_PLACES_MAX)
            place = SAMPLE_PLACES_MAX + number_of(&d->full, &b->full[place - SAMPLE_PLACES_MAX]);
        d->kept[d->count++] = (struct kept){
            .time = b->timed ? b->time[i] : 0,
            .step = b->timed ? taking.step[i] : 0,
            .place = place,
            .pair = b->pair[i],
            .stepped = b->timed && i > 0,
        };
    }
}

/* An index that sample_read_place() let pass, and so below SAMPLE_PLACES_MAX. */
static struct meaning *meaning_of(struct decoder *d, uint64_t index)
{
    if (index >= d->place_room) {
        const size_t before = d->place_room;

        d->place_room = index < 2 * before ? 2 * before : (size_t)index + 1;
        if (d->place_room > SAMPLE_PLACES_MAX)
            d->place_room = SAMPLE_PLACES_MAX;
        d->place = need(d->place, d->place_room, sizeof(*d->place));
        memset(d->place + before, 0, (d->place_room - before) * sizeof(*d->place));
    }
    return &d->place[index];
}

/* Does the row give an index another meaning than it has?  That never happens. */
static bool contradicts(const struct decoder *d, uint64_t index, const struct sample_where *where)
{
    return index < d->place_room && d->place[index].defined &&
           !same(&d->place[index].where, where);
}

/* A frame of definitions counts as a whole, or not at all: it may be a wrong one. */
static bool take_places(struct decoder *d, struct wire_reader r)
{
    const struct wire_reader rows = r;
    struct wire_places head;
    struct wire_places_row row;
    struct sample_where where;

    if (!wire_read_head(&r, &head))
        return false;
    while (wire_read_row(&r, &row)) {
        if (!sample_read_place(&row, &where) || contradicts(d, row.index, &where))
            return false;
    }
    if (!wire_done(&r))
        return false;
    r = rows;
    wire_read_head(&r, &head);
    while (wire_read_row(&r, &row)) {
        struct meaning *meaning = meaning_of(d, row.index);

        sample_read_place(&row, &meaning->where);
        meaning->defined = true;
    }
    return true;
}

/* One frame, within what may be replayed. */
static bool decode(struct decoder *d, struct wire_reader *r)
{
    bool whole;

    taking.batch.budget = d->replay ? *d->replay : UINT64_MAX;
    whole = sample_decode(&taking.batch, &d->setting, r);
    if (d->replay)
        *d->replay = taking.batch.budget;
    return whole;
}

void samples_take_frame(struct samples *s, struct wire_reader *r, size_t length)
{
    struct decoder *d = s->decoder;

    s->bytes += length;
    if (r->type == WIRE_PLACES) {
        s->damaged += !take_places(d, *r);
    } else if (!decode(d, r)) {
        s->damaged++;
    } else {
        if (taking.batch.dear)
            s->timeless += taking.batch.count;
        if (s->told < taking.batch.first + taking.batch.count)
            s->told = taking.batch.first + taking.batch.count;
        if (s->lost < taking.batch.lost)
            s->lost = taking.batch.lost;
        if (taking.batch.count)
            keep_frame(d);
    }
}

/* ---- The end ---- */

/* By number; of two that begin alike the one that came first. */
static int by_number(const void *a, const void *b)
{
    const struct frame *one = a, *other = b;

    if (one->first != other->first)
        return one->first < other->first ? -1 : 1;
    return one->at < other->at ? -1 : one->at > other->at;
}

/* The samples in order, each once; their places still as they came. */
static void order(struct samples *s, struct decoder *d)
{
    struct kept *kept = need(NULL, d->count + 1, sizeof(*kept));
    uint64_t next = 0; /* number past the last one taken */

    s->sample = need(NULL, d->count + 1, sizeof(*s->sample));
    if (d->frames)
        qsort(d->frame, d->frames, sizeof(*d->frame), by_number);
    for (size_t i = 0; i < d->frames; i++) {
        const struct frame *f = &d->frame[i];

        for (uint32_t j = 0; j < f->count; j++) {
            const struct kept *k = &d->kept[f->at + j];
            const uint64_t number = f->first + j;

            if (number < next) {
                s->duplicates++;
                continue;
            }
            next = number + 1;
            kept[s->count] = *k;
            s->sample[s->count++] = (struct sample_taken){
                .number = number,
                .tick = thin_tick(number, d->setting.thin, d->setting.seed),
                .time = k->time,
                .place = k->place,
                .pair = k->pair,
            };
        }
    }
    free(d->kept);
    d->kept = kept;
    d->count = s->count;
}

static struct sample_place place_of(const struct sample_where *w)
{
    return (struct sample_place){
        .pc = w->pc,
        .task = w->task,
        .mode = (enum mode)(w->mode % SAMPLE_DELAY),
        .delay = (enum delay)(w->mode / SAMPLE_DELAY),
        .known = true,
    };
}

/* Is there anything to be numbered under i: a place, or an index that a sample used? */
static const struct sample_where *told(const struct decoder *d, size_t i)
{
    if (i >= SAMPLE_PLACES_MAX)
        return &d->full.where[i - SAMPLE_PLACES_MAX];
    return i < d->place_room && d->place[i].defined ? &d->place[i].where : NULL;
}

/* A place of the list that reports read; returns its number. */
static uint32_t add_place(struct samples *s, size_t *room, struct sample_place place)
{
    if (s->places == *room) {
        *room = 2 * *room + 16;
        s->place = need(s->place, *room, sizeof(*s->place));
    }
    s->place[s->places] = place;
    return (uint32_t)s->places++;
}

/*
 * What the samples' places become in place[]: UINT32_MAX where no sample asked, else
 * the number.  A place that was told in full before it had an index is one with it.
 */
static void number_places(struct samples *s, struct decoder *d, uint32_t *number)
{
    struct set known = {0};
    uint32_t *at = need(NULL, SAMPLE_PLACES_MAX + d->full.count, sizeof(*at));
    size_t room = 0;

    for (size_t i = 0; i < SAMPLE_PLACES_MAX + d->full.count; i++) {
        const struct sample_where *w = told(d, i);
        const uint32_t which = (uint32_t)known.count;

        if (!w) {
            if (number[i] != UINT32_MAX)
                number[i] = add_place(s, &room, (struct sample_place){.known = false});
            continue;
        }
        if (number_of(&known, w) == which)
            at[which] = add_place(s, &room, place_of(w));
        number[i] = at[number_of(&known, w)];
    }
    set_free(&known);
    free(at);
}

static void resolve(struct samples *s, struct decoder *d)
{
    const size_t places = SAMPLE_PLACES_MAX + d->full.count;
    uint32_t *number = need(NULL, places, sizeof(*number));

    memset(number, 0xff, places * sizeof(*number));
    for (size_t i = 0; i < s->count; i++)
        number[s->sample[i].place] = 0;
    number_places(s, d, number);
    s->timed = s->count > 0;
    for (size_t i = 0; i < s->count; i++) {
        s->sample[i].place = number[s->sample[i].place];
        s->unresolved += !s->place[s->sample[i].place].known;
        s->timed = s->timed && s->sample[i].time;
    }
    free(number);
}

void samples_finish(struct samples *s)
{
    struct decoder *d = s->decoder;

    order(s, d);
    resolve(s, d);
}

/* ---- Entropy ---- */

static int by_value(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;

    return one < other ? -1 : one > other;
}

/* Of numbers that stand for what they count; sorts them. */
static double entropy(int64_t *value, size_t count)
{
    double bits = 0;

    qsort(value, count, sizeof(*value), by_value);
    for (size_t i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && value[i + run] == value[i]; run++)
            ;
        bits += (double)run / (double)count * log2((double)count / (double)run);
    }
    return bits;
}

struct samples_entropy samples_entropy(const struct samples *s)
{
    const struct decoder *d = s->decoder;
    int64_t *value = need(NULL, s->count + 1, sizeof(*value));
    struct samples_entropy e;
    size_t steps = 0;

    for (size_t i = 0; i < s->count; i++)
        value[i] = s->sample[i].place;
    e.places = entropy(value, s->count);
    for (size_t i = 0; i < s->count; i++) {
        const struct sample_place *p = &s->place[s->sample[i].place];

        value[i] = p->known ? (int64_t)p->task * MODES + p->mode : -1;
    }
    e.cells = entropy(value, s->count);
    for (size_t i = 0; i < s->count; i++)
        if (d->kept[i].stepped)
            value[steps++] = d->kept[i].step;
    e.steps = entropy(value, steps);
    free(value);
    return e;
}
