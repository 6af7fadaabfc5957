/* SPDX-License-Identifier: MIT */
/* Sends raw samples: their packed form, the steps of the times, and the order in which frames are sent. */
#include "probe/stream/sample_encode.h"

#include "probe/coding/column_pack.h"
#include "probe/coding/leb128.h"
#include "probe/schedule/memory.h"
#include "probe/stream/decimate.h"
#include "probe/stream/place_rows.h"

#define FULL_LONGEST 16u /* mode, a task of 5 bytes, a pc of 10 */
#define STEP_LONGEST 10u

/* ---- PACKED_PLACES ---- */

/* A frame that is being filled. */
struct defining {
    struct sample_encoder *sender;
    struct place_rows rows;
};

static bool put_place(void *context, uint32_t index)
{
    struct defining *d = context;
    const struct dictionary_key *k = &d->sender->places.key[index];
    const struct wire_places_row definition = {
        .index = index, .task = k->task, .mode = k->kind, .pc = wire_zigzag((int64_t)k->value),
    };
    struct wire_packed_places_row row;

    place_rows_put(&d->rows, &definition, &row);
    if (!wire_row(&d->sender->frame, WIRE_PACKED_PLACES, &row))
        return false;
    place_rows_sent(&d->rows, &definition);
    return true;
}

/* Send one frame: new definitions, then repeated ones. */
static void send_places(struct sample_encoder *s)
{
    const struct wire_packed_places head = {.epoch = s->request.epoch};
    struct defining d = {.sender = s};

    wire_begin(&s->frame, WIRE_PACKED_PLACES, &head);
    dictionary_define(&s->places, put_place, &d);
    s->request.send(s->request.context, &s->frame);
}

/* ---- PACKED_SAMPLES ---- */

static bool is_timed(const struct sample_encoder *s)
{
    return s->request.setting.stamp != 0;
}

static void send_masked(struct sample_encoder *s)
{
    const struct wire_masked_samples head = {
        .epoch = s->request.epoch, .first = s->head.first, .count = s->head.count,
        .off = {(const char *)s->masked, (uint32_t)(s->head.count + 7) / 8},
    };

    wire_begin(&s->frame, WIRE_MASKED_SAMPLES, &head);
    s->request.send(s->request.context, &s->frame);
}

static void put_masked(struct sample_encoder *s, bool masked)
{
    const uint32_t at = (uint32_t)s->head.count;

    if (at % 8 == 0)
        s->masked[at / 8] = 0;
    s->masked[at / 8] |= (uint8_t)(masked << at % 8);
}

/* Copy one LEB128 number; returns its bytes. */
static uint32_t copy_number(uint8_t *to, const uint8_t *from)
{
    uint32_t length = 0;

    do
        to[length] = from[length];
    while (from[length++] & 0x80);
    return length;
}

/*
 * Write steps, of which `bits` has two bits for each sample but the first and `far` the far ones, as runs.
 * `most` is what two bits a sample take.  Returns the bytes; UINT32_MAX if these would not be fewer.
 */
static uint32_t sample_pack_runs(const uint8_t *bits, const uint8_t *far, uint32_t count, uint8_t *to, uint32_t most)
{
    uint32_t put = 0, run = 0;

    for (uint32_t i = 0; i + 1 < count; i++) {
        const unsigned step = bits[i / 4] >> 2 * (i % 4) & 3;

        if (step == SAMPLE_STEP_NONE && run < PACK_RUN_MAX) {
            run++;
            continue;
        }
        if (put + 1 >= most)
            return UINT32_MAX;
        to[put++] = (uint8_t)(run << 2 | step);
        run = 0;
        if (step == SAMPLE_STEP_FAR) {
            const uint32_t length = copy_number(to + put, far);

            far += length;
            put += length;
            most += length; /* they stand in either form */
        }
    }
    return put;
}

/* Write the steps to `to`, as runs or in two bits each; returns their bytes. */
static uint32_t pack_steps(const struct sample_encoder *s, uint8_t *to, uint8_t *form)
{
    const uint32_t count = (uint32_t)s->head.count, bits = sample_step_bytes(count);
    const uint32_t runs = sample_pack_runs(s->step, s->far_step, count, to, bits);

    *form = runs != UINT32_MAX;
    if (*form != 0)
        return runs;
    memcpy(to, s->step, bits);
    memcpy(to + bits, s->far_step, s->far);
    return bits + s->far;
}

static void pack(struct sample_encoder *s)
{
    uint32_t codes = index_pack(&s->classes, s->index, (uint32_t)s->head.count, s->packed);
    uint8_t *const form = s->packed + PACK_HEAD - 1;

    memcpy(s->packed + codes, s->full, s->fulls);
    codes += s->fulls;
    s->head.codes = (struct wire_text){(const char *)s->packed, codes};
    if (is_timed(s))
        s->head.steps = (struct wire_text){(const char *)s->packed + codes, pack_steps(s, s->packed + codes, form)};
}

static void send_samples(struct sample_encoder *s)
{
    if (s->head.count != 0)
        pack(s);
    wire_begin(&s->frame, WIRE_PACKED_SAMPLES, &s->head);
    s->request.send(s->request.context, &s->frame);
    if (s->request.tells_masked && s->head.count != 0)
        send_masked(s);
    s->head.count = 0;
    s->bits = s->fulls = s->far = s->runs = s->run = 0;
}

/* Send the frame of samples, then definitions if there are enough for a frame. */
static void close_frame(struct sample_encoder *s)
{
    if (s->head.count == 0)
        return;
    send_samples(s);
    dictionary_credit_frame(&s->places);
    if (dictionary_frame_due(&s->places))
        send_places(s);
    while (dictionary_frame_full(&s->places))
        send_places(s);
}

/* A frame begins with the full time of its first sample and with the schedule's state. */
static void begin_frame(struct sample_encoder *s, uint64_t time)
{
    struct schedule_state state;

    schedule_save(&s->schedule, &state);
    if (!s->request.setting.points)
        s->time = time != 0 ? time : 1; /* 0 means that the samples have no times */
    s->head = (struct wire_packed_samples){
        .epoch = s->request.epoch,
        .first = s->number,
        .lost = s->lost,
        .time = is_timed(s) ? s->time : 0,
        .generator = state.generator,
        .phase = state.phase,
        .fraction = state.fraction,
        .carry = wire_zigzag(state.carry),
        .second = wire_zigzag(state.second),
        .late = is_timed(s) && s->request.setting.points && time > s->time ? time - s->time : 0,
    };
    s->drawn = UINT64_MAX;
}

/* The handler's reading of the clock, as evidence: the earliest, the latest, and one that only its number draws. */
static void note_arrival(struct sample_encoder *s, int64_t arrival)
{
    const uint64_t draw = sample_draw(s->request.setting.seed, s->number);

    if (s->head.arrivals == 0 || arrival < wire_unzigzag(s->head.earliest))
        s->head.earliest = wire_zigzag(arrival);
    if (s->head.arrivals == 0 || arrival > wire_unzigzag(s->head.latest))
        s->head.latest = wire_zigzag(arrival);
    if (draw < s->drawn)
        s->head.arrived = wire_zigzag(arrival);
    s->drawn = draw < s->drawn ? draw : s->drawn;
    s->head.arrivals++;
}

static void put_step(struct sample_encoder *s, uint64_t time)
{
    const uint64_t unit = s->request.setting.stamp;
    const int64_t step = unit_steps((int64_t)(time - s->time), unit);
    const uint32_t at = (uint32_t)s->head.count - 1;
    uint8_t bits = step == 0 ? SAMPLE_STEP_NONE : SAMPLE_STEP_FAR;

    if (step == 1 || step == -1)
        bits = step == 1 ? SAMPLE_STEP_UP : SAMPLE_STEP_DOWN;
    if (bits == SAMPLE_STEP_FAR)
        s->far += leb128_put(s->far_step + s->far, wire_zigzag(step));
    if (at % 4 == 0)
        s->step[at / 4] = 0;
    s->step[at / 4] |= (uint8_t)(bits << 2 * (at % 4));
    s->run++;
    if (bits != SAMPLE_STEP_NONE || s->run > PACK_RUN_MAX) {
        s->runs++;
        s->run = 0;
    }
    /* Without points the next step counts from the decoder's value, so that rounding errors do not add up. */
    if (!s->request.setting.points)
        s->time += (uint64_t)step * unit;
}

static void put_location(struct sample_encoder *s, const struct sample_location *w)
{
    const struct dictionary_key key = {.value = w->pc, .task = w->task, .kind = w->mode};
    const uint32_t index = dictionary_index(&s->places, &key);
    const uint16_t sent = index == DICTIONARY_NONE ? PACK_NO_INDEX : (uint16_t)index;
    uint8_t *to = s->full + s->fulls;

    if (index == DICTIONARY_NONE) {
        *to++ = w->mode;
        to += leb128_put(to, w->task);
        to += leb128_put(to, wire_zigzag((int64_t)w->pc));
    }
    s->fulls = (uint32_t)(to - s->full);
    s->bits += index_pack_bits(sent, s->head.count == 0 ? PACK_NO_INDEX : s->index[s->head.count - 1]);
    s->index[s->head.count] = sent;
}

/* Most bytes of one more sample: class and index, with the bits that they may begin; place in full; step. */
#define SAMPLE_LONGEST (3 + FULL_LONGEST + 1 + STEP_LONGEST)

static bool has_room(const struct sample_encoder *s)
{
    const uint32_t bits = sample_step_bytes((uint32_t)s->head.count), steps = s->runs < bits ? s->runs : bits;

    return s->head.count < SAMPLE_FRAME_MAX &&
           PACK_HEAD + 2 + s->bits / 8 + s->fulls + steps + s->far + SAMPLE_LONGEST <= SAMPLE_CODES_MAX;
}

/* ---- The sender ---- */

static void next_sample(struct sample_encoder *s)
{
    const struct sample_setting *setting = &s->request.setting;

    s->number++;
    s->tick = decimate_tick(s->number, setting->thin, setting->seed);
}

/* Count the samples that were to be sent before `tick` as lost. */
static void count_lost_until(struct sample_encoder *s, uint64_t tick)
{
    if (s->tick >= tick)
        return;
    close_frame(s);
    while (s->tick < tick) {
        s->lost++;
        next_sample(s);
    }
}

void sample_encoder_begin(struct sample_encoder *s, const struct sample_encoder_request *request)
{
    memset(s, 0, sizeof *s);
    s->request = *request;
    s->schedule = request->setting.schedule;
    s->time = request->begin - request->start;
    s->tick = decimate_tick(0, request->setting.thin, request->setting.seed);
}

void sample_encoder_put(struct sample_encoder *s, const struct sample_record *r)
{
    const uint64_t time = r->time - s->request.start;
    const struct sample_location where = {
        .pc = r->pc, .task = r->task, .mode = (uint8_t)(r->mode + SAMPLE_DELAY_STEP * r->delay),
    };

    count_lost_until(s, r->tick);
    if (r->tick != s->tick)
        return;
    for (; s->ticks <= r->tick; s->ticks++)
        s->time += sample_replay(&s->request.setting, &s->schedule);
    if (!has_room(s))
        close_frame(s);
    if (s->head.count == 0)
        begin_frame(s, time);
    else if (is_timed(s))
        put_step(s, time);
    put_location(s, &where);
    if (r->arrival != SAMPLE_NO_ARRIVAL && s->request.setting.points)
        note_arrival(s, r->arrival);
    if (s->request.tells_masked)
        put_masked(s, r->masked != 0);
    s->head.count++;
    next_sample(s);
}

void sample_encoder_flush(struct sample_encoder *s)
{
    close_frame(s);
    while (s->places.defined < s->places.count)
        send_places(s);
}

/* An empty frame sends the number of all samples, even if the last ones were lost in the ring. */
static void send_total(struct sample_encoder *s)
{
    s->head = (struct wire_packed_samples){
        .epoch = s->request.epoch, .first = s->number, .lost = s->lost,
    };
    send_samples(s);
}

void sample_encoder_end(struct sample_encoder *s, uint64_t ticks)
{
    close_frame(s);
    count_lost_until(s, ticks);
    send_total(s);
    dictionary_repeat_all(&s->places);
    sample_encoder_flush(s);
}
