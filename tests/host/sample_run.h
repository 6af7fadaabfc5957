/* SPDX-License-Identifier: MIT */
/*
 * One run of raw samples for the tests: what every tick saw, the frames that the
 * sender made of it, and the check of what comes back from some of them.
 */
#pragma once

#include "probe/stream/decimate.h"
#include "tests/host/sample_load.h"
#include "tools/samples/place_index.h"
#include "tools/samples/sample_reader.h"
#include "tools/samples/sample_sums.h"
#include "tools/samples/samples.h"

#define RUN_EPOCH 0x12345678u
#define RUN_BEGIN 123456789u /* of points, clock units */

struct run_frame {
    size_t at, length;
};

struct run {
    enum interval_policy policy;
    enum rng rng;
    unsigned rate;
    uint32_t thin;
    bool points;            /* in clock time */
    uint64_t stamp;
    uint64_t ticks;
    bool tells_masked;      /* whether interrupts were off, of each */
    uint64_t flush;         /* ticks between two; 0: none */
    /* What else befalls a tick; NULL: nothing.  False: it finds no room in the ring. */
    bool (*befall)(struct load *l, struct sample_record *r);

    struct load load;
    struct sample_encoder sender;
    struct sample_record *record; /* by tick */
    bool *pair, *lost;            /* by tick */
    uint8_t *bytes;
    size_t length, room;
    struct run_frame *frame;
    size_t frames, frame_room;
    size_t *given, givens; /* the frames that run_give() gave, which run_collect() gives again */
};

static inline void run_send(void *context, struct wire_writer *w)
{
    struct run *run = context;

    if (run->room - run->length < WIRE_FRAME_MAX) {
        run->room = 2 * run->room + WIRE_FRAME_MAX;
        run->bytes = realloc(run->bytes, run->room);
    }
    if (run->frames == run->frame_room) {
        run->frame_room = 2 * run->frame_room + 64;
        run->frame = realloc(run->frame, run->frame_room * sizeof(*run->frame));
    }
    run->frame[run->frames].at = run->length;
    run->frame[run->frames].length = wire_end(w, (uint16_t)run->frames, run->bytes + run->length);
    assert_int_not_equal(run->frame[run->frames].length, 0);
    run->length += run->frame[run->frames++].length;
}

static inline void run_make(struct run *run)
{
    struct sample_encoder_request request = {
        .epoch = RUN_EPOCH, .start = 1000, .tells_masked = run->tells_masked, .send = run_send, .context = run,
    };

    (run->points ? load_begin_points : load_begin)(&run->load, run->policy, run->rng, run->rate, run->thin,
                                                   run->stamp, 7);
    request.begin = RUN_BEGIN;
    request.setting = run->load.setting;
    sample_encoder_begin(&run->sender, &request);
    run->record = calloc(run->ticks, sizeof(*run->record));
    run->pair = calloc(run->ticks, sizeof(*run->pair));
    run->lost = calloc(run->ticks, sizeof(*run->lost));
    for (uint64_t i = 0; i < run->ticks; i++) {
        run->record[i] = run->points ? load_next_point(&run->load, RUN_BEGIN) : load_next(&run->load);
        run->pair[i] = run->load.schedule.pair;
        run->lost[i] = run->befall && !run->befall(&run->load, &run->record[i]);
        if (!run->lost[i])
            sample_encoder_put(&run->sender, &run->record[i]);
        if (run->flush && i % run->flush == run->flush - 1)
            sample_encoder_flush(&run->sender);
    }
    sample_encoder_end(&run->sender, run->ticks);
}

static inline void run_free(struct run *run)
{
    free(run->record);
    free(run->pair);
    free(run->lost);
    free(run->bytes);
    free(run->frame);
    free(run->given);
    run->given = NULL;
    run->givens = 0;
    run->record = NULL;
    run->pair = run->lost = NULL;
    run->bytes = NULL;
    run->frame = NULL;
    run->length = run->room = run->frames = run->frame_room = 0;
}

/* Open a copy of frame i, in `bytes` of WIRE_FRAME_MAX. */
static inline void run_open(const struct run *run, size_t i, struct wire_reader *r, uint8_t *bytes)
{
    const struct run_frame *f = &run->frame[i];

    memcpy(bytes, run->bytes + f->at, f->length);
    assert_int_equal(wire_open(r, bytes + 1, f->length - 2), WIRE_INTACT);
}

static inline void run_give(struct run *run, size_t i, struct samples *s)
{
    uint8_t bytes[WIRE_FRAME_MAX];
    struct wire_reader r;

    run_open(run, i, &r, bytes);
    samples_add_frame(s, &r, run->frame[i].length);
    run->given = realloc(run->given, (run->givens + 1) * sizeof(*run->given));
    run->given[run->givens++] = i;
}

/* What a second reading of the given frames tells. */
struct run_told {
    struct resolved_sample *sample;
    size_t count, room;
};

static inline void run_take(void *context, const struct resolved_sample *s)
{
    struct run_told *t = context;

    if (s->dropped)
        return;
    if (t->count == t->room) {
        t->room = 2 * t->room + 1024;
        t->sample = realloc(t->sample, t->room * sizeof(*t->sample));
    }
    t->sample[t->count++] = *s;
}

/* After samples_finish(s); the caller frees `sample`.  The next samples begin anew. */
static inline struct run_told run_collect(struct run *run, const struct samples *s)
{
    struct run_told t = {0};
    struct sample_reader *reader = sample_reader_new(s, run_take, &t);

    for (size_t i = 0; i < run->givens; i++) {
        uint8_t bytes[WIRE_FRAME_MAX];
        struct wire_reader r;

        run_open(run, run->given[i], &r, bytes);
        sample_reader_frame(reader, r);
    }
    sample_reader_end(reader);
    sample_reader_free(reader);
    assert_int_equal(t.count, s->count);
    run->givens = 0;
    return t;
}

static inline void run_check_sample(const struct run *run, const struct resolved_sample *t)
{
    const uint64_t tick = decimate_tick(t->number, run->thin, 7);
    const struct sample_record *r = &run->record[tick];
    const struct sample_place *p = &t->place;
    const int64_t error = (int64_t)(t->time - (r->time - 1000));
    const uint64_t allowed = run->points && r->delay == DELAY_NONE ? 0 : run->stamp / 2; /* a point's time is exact */

    if (tick >= run->ticks || run->lost[tick] || t->tick != tick || r->delay == DELAY_HANDLER)
        fail_msg("sample %lu of tick %lu was never told", t->number, t->tick);
    if (t->pair != (run->thin > 1 ? (t->number & 1) != 0 : run->pair[tick]))
        fail_msg("sample %lu: pair is %d", t->number, t->pair);
    if (run->stamp ? (uint64_t)llabs(error) > allowed : t->time != 0)
        fail_msg("sample %lu: time is off by %ld", t->number, error);
    if (p->known && (p->pc != r->pc || p->task != r->task || p->mode != (enum mode)r->mode ||
                     p->delay != r->delay))
        fail_msg("sample %lu: wrong place %lx", t->number, p->pc);
}

/* The sums of a run are those of its samples: hits by place, and pairs of places that follow one another. */
static inline void run_check_sums(const struct run_told *t, const struct sample_sums *sums)
{
    uint64_t hits = 0, changes = 0, pairs = 0;

    for (size_t i = 0; i < sums->places; i++)
        hits += sums->place[i].hits;
    for (size_t i = 0; i < sums->pairs; i++)
        pairs += sums->pair[i].count;
    for (size_t i = 1; i < t->count; i++) {
        const struct sample_place *a = &t->sample[i - 1].place, *b = &t->sample[i].place;

        changes += t->sample[i].pair && t->sample[i].follows && a->known && b->known &&
                   (a->pc != b->pc || a->task != b->task || a->mode != b->mode || a->delay != b->delay ||
                    a->masked != b->masked);
    }
    assert_int_equal(hits, t->count);
    assert_int_equal(pairs, changes);
}

/* None is wrong, each is there once, in order. */
static inline void run_check(struct run *run, const struct samples *s)
{
    struct run_told t = run_collect(run, s);
    uint64_t unresolved = 0;

    for (size_t i = 0; i < t.count; i++) {
        run_check_sample(run, &t.sample[i]);
        unresolved += !t.sample[i].place.known;
        if (i && t.sample[i].number <= t.sample[i - 1].number)
            fail_msg("sample %lu comes after %lu", t.sample[i].number, t.sample[i - 1].number);
    }
    assert_int_equal(samples_unresolved(s), unresolved);
    assert_int_equal(s->damaged + s->late, 0);
    if (s->sums)
        run_check_sums(&t, s->sums);
    free(t.sample);
}

/* All frames arrived: all samples are there. */
static inline void run_check_whole(struct run *run)
{
    struct samples *s = samples_new(&run->load.setting, NULL, SAMPLES_STEPS);
    uint64_t told = 0, lost = 0, dropped = 0;

    for (size_t i = 0; i < run->frames; i++)
        run_give(run, i, s);
    samples_finish(s);
    run_check(run, s);
    for (uint64_t tick; (tick = decimate_tick(told, run->thin, 7)) < run->ticks; told++) {
        lost += run->lost[tick];
        dropped += !run->lost[tick] && run->record[tick].delay == DELAY_HANDLER;
    }
    assert_int_equal(s->told, told - dropped);
    assert_int_equal(s->lost, lost);
    assert_int_equal(s->in_handler, dropped);
    assert_int_equal(s->count, told - lost - dropped);
    assert_int_equal(samples_unresolved(s), 0);
    assert_int_equal(s->duplicates, 0);
    assert_int_equal(s->bytes, run->length);
    assert_int_equal(s->timed, run->stamp != 0 && s->count != 0);
    samples_free(s);
}
