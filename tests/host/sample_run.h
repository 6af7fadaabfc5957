/* SPDX-License-Identifier: MIT */
/*
 * One run of raw samples for the tests: what every tick saw, the frames that the
 * sender made of it, and the check of what comes back from some of them.
 */
#pragma once

#include "probe/stream/decimate.h"
#include "tests/host/sample_load.h"
#include "tools/samples/samples.h"

#define RUN_EPOCH 0x12345678u

struct run_frame {
    size_t at, length;
};

struct run {
    enum interval_policy policy;
    enum rng rng;
    unsigned rate;
    uint32_t thin;
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

    load_begin(&run->load, run->policy, run->rng, run->rate, run->thin, run->stamp, 7);
    request.setting = run->load.setting;
    sample_encoder_begin(&run->sender, &request);
    run->record = calloc(run->ticks, sizeof(*run->record));
    run->pair = calloc(run->ticks, sizeof(*run->pair));
    run->lost = calloc(run->ticks, sizeof(*run->lost));
    for (uint64_t i = 0; i < run->ticks; i++) {
        run->record[i] = load_next(&run->load);
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

static inline void run_give(const struct run *run, size_t i, struct samples *s)
{
    uint8_t bytes[WIRE_FRAME_MAX];
    struct wire_reader r;

    run_open(run, i, &r, bytes);
    samples_add_frame(s, &r, run->frame[i].length);
}

static inline void run_check_sample(const struct run *run, const struct samples *s, size_t i)
{
    const struct raw_sample *t = &s->sample[i];
    const uint64_t number = samples_number(s, i), tick = decimate_tick(number, run->thin, 7);
    const struct sample_record *r = &run->record[tick];
    const struct sample_place *p = &s->place[t->place];
    const int64_t error = (int64_t)(t->time - (r->time - 1000));

    if (tick >= run->ticks || run->lost[tick] || samples_tick(s, i) != tick)
        fail_msg("sample %lu of tick %lu was never told", number, samples_tick(s, i));
    if (t->pair != (run->thin > 1 ? (number & 1) != 0 : run->pair[tick]))
        fail_msg("sample %lu: pair is %d", number, t->pair);
    if (run->stamp ? (uint64_t)llabs(error) > run->stamp / 2 : t->time != 0)
        fail_msg("sample %lu: time is off by %ld", number, error);
    if (p->known && (p->pc != r->pc || p->task != r->task || p->mode != (enum mode)r->mode ||
                     p->delay != r->delay))
        fail_msg("sample %lu: wrong place %lx", number, p->pc);
}

/* None is wrong, each is there once, in order. */
static inline void run_check(const struct run *run, const struct samples *s)
{
    uint64_t unresolved = 0;

    for (size_t i = 0; i < s->count; i++) {
        run_check_sample(run, s, i);
        unresolved += !s->place[s->sample[i].place].known;
        if (i && samples_number(s, i) <= samples_number(s, i - 1))
            fail_msg("sample %lu comes after %lu", samples_number(s, i), samples_number(s, i - 1));
    }
    assert_int_equal(s->unresolved, unresolved);
    assert_int_equal(s->damaged, 0);
}

/* All frames arrived: all samples are there. */
static inline void run_check_whole(const struct run *run)
{
    struct samples *s = samples_new(&run->load.setting, NULL, true);
    uint64_t told = 0, lost = 0;

    for (size_t i = 0; i < run->frames; i++)
        run_give(run, i, s);
    samples_finish(s);
    run_check(run, s);
    while (decimate_tick(told, run->thin, 7) < run->ticks)
        lost += run->lost[decimate_tick(told++, run->thin, 7)];
    assert_int_equal(s->told, told);
    assert_int_equal(s->lost, lost);
    assert_int_equal(s->count, told - lost);
    assert_int_equal(s->unresolved, 0);
    assert_int_equal(s->duplicates, 0);
    assert_int_equal(s->bytes, run->length);
    assert_int_equal(s->timed, run->stamp != 0 && s->count != 0);
    samples_free(s);
}
