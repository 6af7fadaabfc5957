/* SPDX-License-Identifier: MIT */
/*
 * The sender of raw samples: the dictionary of places, the steps of the times, and
 * the order in which frames are sent.
 */
#include "probe/stream/sample_encode.h"

#include "probe/core/memory.h"
#include "probe/stream/decimate.h"

#define NOT_FOUND    UINT32_MAX
#define CODE_LONGEST 17u /* 0xff, mode, a task of 5 bytes, a pc of 10 */
#define STEP_LONGEST 10u

/*
 * Definitions are repeated in turn: so many for each new one, and so many for each
 * SAMPLES frame.  A row has 13 bytes: 0.08 bytes per sample if frames are full.
 */
#define REPEATED_PER_PLACE 1u
#define REPEATED_PER_FRAME 3u
/* A PLACES frame is sent for so many rows; it has room for as many of the longest ones. */
#define ROWS_WORTH_A_FRAME 32u

/* ---- Numbers ---- */

static uint32_t put_number(uint8_t *to, uint64_t n)
{
    uint32_t length = 0;

    while (n > 0x7f) {
        to[length++] = (uint8_t)(n | 0x80);
        n >>= 7;
    }
    to[length++] = (uint8_t)n;
    return length;
}

/* Divide by shifting, because 32-bit targets have no 64-bit division; d is below 2^63. */
static uint64_t divide(uint64_t n, uint64_t d)
{
    uint64_t quotient = 0, rest = 0;

    if (n <= UINT32_MAX && d <= UINT32_MAX)
        return (uint32_t)n / (uint32_t)d;
    for (int bit = 63; bit >= 0; bit--) {
        rest = rest << 1 | (n >> bit & 1);
        if (rest >= d) {
            rest -= d;
            quotient |= (uint64_t)1 << bit;
        }
    }
    return quotient;
}

/* The number of units nearest to `difference`. */
static int64_t nearest(int64_t difference, uint64_t unit)
{
    uint64_t size = difference < 0 ? -(uint64_t)difference : (uint64_t)difference;
    int64_t step = (int64_t)divide(size + unit / 2, unit);

    return difference < 0 ? -step : step;
}

/* ---- The dictionary ---- */

static uint32_t hash(const struct sample_location *w)
{
    uint64_t x = (w->pc ^ ((uint64_t)w->task << 24 | w->mode)) * 0x9e3779b97f4a7c15ull;

    x = (x ^ x >> 32 ^ w->task) * 0xbf58476d1ce4e5b9ull;
    return (uint32_t)(x >> 32);
}

/* The slot of the place, or the empty slot for it: at least half of the slots are empty. */
static uint32_t find_slot(const struct sample_encoder *s, const struct sample_location *w,
                          uint32_t hashed)
{
    uint32_t slot = hashed & (SAMPLE_SLOTS - 1);

    while (s->slot[slot] != 0) {
        const struct sample_location *there = &s->place[s->slot[slot] - 1];

        if (there->pc == w->pc && there->task == w->task && there->mode == w->mode)
            break;
        slot = (slot + 1) & (SAMPLE_SLOTS - 1);
    }
    return slot;
}

/* Whether the filter has seen this hash before.  A false match only gives an index too early. */
static bool seen_before(struct sample_encoder *s, uint32_t hashed)
{
    uint16_t *seen = &s->seen[hashed & (SAMPLE_SEEN - 1)];
    const uint16_t mark = (uint16_t)(hashed >> 16 | 1); /* 0: none */

    if (*seen == mark)
        return true;
    *seen = mark;
    return false;
}

/* The index of the place, which it gets when it is seen a second time; NOT_FOUND: send it in full. */
static uint32_t index_of(struct sample_encoder *s, const struct sample_location *w)
{
    const uint32_t hashed = hash(w);
    const uint32_t slot = find_slot(s, w, hashed);

    if (s->slot[slot] != 0)
        return s->slot[slot] - 1u;
    if (s->places == SAMPLE_PLACES_MAX || !seen_before(s, hashed))
        return NOT_FOUND;
    s->place[s->places++] = *w;
    s->slot[slot] = (uint16_t)s->places;
    s->credit += REPEATED_PER_PLACE;
    return s->places - 1;
}

/* ---- PLACES ---- */

static bool put_place(struct sample_encoder *s, uint32_t index)
{
    const struct sample_location *w = &s->place[index];
    const struct wire_places_row row = {
        .index = index, .task = w->task, .mode = w->mode, .pc = wire_zigzag((int64_t)w->pc),
    };

    return wire_row(&s->frame, WIRE_PLACES, &row);
}

/* Send one frame: new definitions, then as many repeated ones as `credit` allows. */
static void send_places(struct sample_encoder *s)
{
    const struct wire_places head = {.epoch = s->request.epoch};
    const uint32_t before = s->defined; /* the new ones of this frame are not repeated in it */
    uint32_t left = s->credit < before ? s->credit : before;

    wire_begin(&s->frame, WIRE_PLACES, &head);
    while (s->defined < s->places && put_place(s, s->defined))
        s->defined++;
    for (; s->defined == s->places && left != 0; left--) {
        if (s->turn >= before)
            s->turn = 0;
        if (!put_place(s, s->turn))
            break;
        s->turn++;
        s->credit--;
    }
    s->request.send(s->request.context, &s->frame);
}

/* ---- SAMPLES ---- */

static bool is_timed(const struct sample_encoder *s)
{
    return s->request.setting.stamp != 0;
}

/* Bytes for the step bits of so many samples: two bits each, none for the first. */
static uint32_t bits_bytes(uint64_t count)
{
    return count == 0 ? 0 : (uint32_t)(count + 2) / 4;
}

static void send_samples(struct sample_encoder *s)
{
    const uint32_t bits = is_timed(s) ? bits_bytes(s->head.count) : 0;

    memmove(s->step + bits, s->step + SAMPLE_FRAME_MAX / 4, s->far);
    s->head.codes = (struct wire_text){(const char *)s->code, s->codes};
    s->head.steps = (struct wire_text){(const char *)s->step, bits + s->far};
    wire_begin(&s->frame, WIRE_SAMPLES, &s->head);
    s->request.send(s->request.context, &s->frame);
    s->head.count = 0;
    s->codes = s->far = 0;
}

/* Send the SAMPLES frame, then definitions if there are enough for a frame. */
static void close_frame(struct sample_encoder *s)
{
    if (s->head.count == 0)
        return;
    send_samples(s);
    s->credit += REPEATED_PER_FRAME;
    if (s->places != 0 && s->places - s->defined + s->credit >= ROWS_WORTH_A_FRAME)
        send_places(s);
    while (s->places - s->defined >= ROWS_WORTH_A_FRAME)
        send_places(s);
}

/* A frame begins with the full time of its first sample and with the schedule's state. */
static void begin_frame(struct sample_encoder *s, uint64_t time)
{
    struct schedule_state state;

    schedule_save(&s->schedule, &state);
    s->time = time != 0 ? time : 1; /* 0 means that the samples have no times */
    s->head = (struct wire_samples){
        .epoch = s->request.epoch,
        .first = s->number,
        .lost = s->lost,
        .time = is_timed(s) ? s->time : 0,
        .generator = state.generator,
        .phase = state.phase,
        .fraction = state.fraction,
        .carry = wire_zigzag(state.carry),
        .second = wire_zigzag(state.second),
    };
}

static void put_step(struct sample_encoder *s, uint64_t time)
{
    const uint64_t unit = s->request.setting.stamp;
    const int64_t step = nearest((int64_t)(time - s->time), unit);
    const uint32_t at = (uint32_t)s->head.count - 1;
    uint8_t *far = s->step + SAMPLE_FRAME_MAX / 4 + s->far;
    uint8_t bits = step == 0 ? SAMPLE_STEP_NONE : SAMPLE_STEP_FAR;

    if (step == 1 || step == -1)
        bits = step == 1 ? SAMPLE_STEP_UP : SAMPLE_STEP_DOWN;
    if (bits == SAMPLE_STEP_FAR)
        s->far += put_number(far, wire_zigzag(step));
    if (at % 4 == 0)
        s->step[at / 4] = 0;
    s->step[at / 4] |= (uint8_t)(bits << 2 * (at % 4));
    /* The next step counts from the decoder's value, so that rounding errors do not add up. */
    s->time += (uint64_t)step * unit;
}

static void put_code(struct sample_encoder *s, const struct sample_location *w)
{
    const uint32_t index = index_of(s, w);
    uint8_t *to = s->code + s->codes;
    uint32_t length = 0;

    if (index < SAMPLE_SHORT) {
        to[length++] = (uint8_t)(index + 1);
    } else if (index != NOT_FOUND) {
        to[length++] = (uint8_t)(SAMPLE_LONG + ((index - SAMPLE_SHORT) >> 8));
        to[length++] = (uint8_t)(index - SAMPLE_SHORT);
    } else {
        to[length++] = SAMPLE_FULL;
        to[length++] = w->mode;
        length += put_number(to + length, w->task);
        length += put_number(to + length, wire_zigzag((int64_t)w->pc));
    }
    s->codes += length;
}

static bool has_room(const struct sample_encoder *s)
{
    return s->head.count < SAMPLE_FRAME_MAX &&
           s->codes + s->far + bits_bytes(s->head.count + 1) + CODE_LONGEST + STEP_LONGEST <=
               SAMPLE_CODES_MAX;
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
    put_code(s, &where);
    s->head.count++;
    next_sample(s);
}

void sample_encoder_flush(struct sample_encoder *s)
{
    close_frame(s);
    while (s->defined < s->places)
        send_places(s);
}

/* An empty frame sends the number of all samples, even if the last ones were lost in the ring. */
static void send_total(struct sample_encoder *s)
{
    s->head = (struct wire_samples){
        .epoch = s->request.epoch, .first = s->number, .lost = s->lost,
    };
    send_samples(s);
}

void sample_encoder_end(struct sample_encoder *s, uint64_t ticks)
{
    close_frame(s);
    count_lost_until(s, ticks);
    send_total(s);
    s->credit = 0;
    s->defined = 0;
    sample_encoder_flush(s);
}
