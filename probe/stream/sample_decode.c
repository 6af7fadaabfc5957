/* SPDX-License-Identifier: MIT */
/*
 * Codes and schedule of one frame of samples.  The input may be damaged in a way that
 * the checksum did not detect, so every read is bounded by the frame's own bytes.
 */
#include "probe/stream/sample_decode.h"

#include <stddef.h>

#include "probe/coding/leb128.h"
#include "probe/schedule/memory.h"
#include "probe/stream/decimate.h"
#include "probe/stream/sample_unpack.h"

/* Samples that are decoded together; SAMPLE_FRAME_MAX is a multiple of it. */
#define GROUP 8

/* ---- places ---- */

bool sample_places_open(struct sample_places *p, struct wire_reader frame)
{
    struct wire_places head; /* of either */

    memset(p, 0, sizeof *p);
    p->r = frame;
    return wire_read_head(&p->r, &head);
}

/* The next row of either kind as one of PLACES. */
static bool next_row(struct sample_places *p, struct wire_places_row *row)
{
    struct wire_packed_places_row packed;

    if (p->r.type == WIRE_PLACES)
        return wire_read_row(&p->r, row);
    if (!wire_read_row(&p->r, &packed))
        return false;
    p->damaged = !place_rows_take(&p->rows, &packed, row);
    return !p->damaged;
}

bool sample_places_next(struct sample_places *p, uint32_t *index, struct sample_location *where)
{
    struct wire_places_row row;

    if (p->damaged || !next_row(p, &row))
        return false;
    *index = (uint32_t)row.index;
    *where = (struct sample_location){
        .pc = (uint64_t)wire_unzigzag(row.pc), .task = (uint32_t)row.task, .mode = (uint8_t)row.mode,
    };
    p->damaged = row.index >= SAMPLE_PLACES_MAX || !sample_is_place(row.task, row.mode);
    return !p->damaged;
}

bool sample_places_whole(const struct sample_places *p)
{
    return !p->damaged && wire_done(&p->r);
}

/* ---- codes ---- */

/* Read one code of any kind; returns its place, or NO_PLACE. */
#define NO_PLACE UINT16_MAX

static inline uint16_t get_code(struct sample_batch *b, struct leb128_bytes *codes)
{
    uint32_t index;

    if (codes->at == codes->end || *codes->at == 0)
        return NO_PLACE;
    index = *codes->at++ - 1u;
    if (index < SAMPLE_SHORT)
        return (uint16_t)index;
    if (index == SAMPLE_FULL - 1u) {
        if (!sample_unpack_full(codes, &b->full[b->fulls]))
            return NO_PLACE;
        return (uint16_t)(SAMPLE_PLACES_MAX + b->fulls++);
    }
    if (codes->at == codes->end)
        return NO_PLACE;
    index = SAMPLE_SHORT + ((index + 1 - SAMPLE_LONG) << 8) + *codes->at++;
    return index < SAMPLE_PLACES_MAX ? (uint16_t)index : NO_PLACE;
}

/* Little-endian on every machine. */
static inline uint32_t word_at(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Read up to eight codes of one byte each; returns the number of such codes before any other. */
static inline unsigned get_short_codes(uint16_t *place, const uint8_t *at)
{
    const uint64_t ones = 0x0101010101010101, tops = ones << 7;
    const uint64_t x = word_at(at) | (uint64_t)word_at(at + 4) << 32;
    uint64_t others;
    uint8_t group[GROUP];

    memcpy(group, at, GROUP);
    for (unsigned i = 0; i < GROUP; i++)
        place[i] = (uint16_t)(group[i] - 1);
    /* A byte above 0xc0 has bit 7 set and its other bits above 0x40.  The first zero: as in cobs.c. */
    others = (((x & ~tops) + 0x3f * ones) & x & tops) | ((x - ones) & ~x & tops);
    if (others == 0)
        return GROUP;
    if ((uint32_t)others != 0)
        return (unsigned)__builtin_ctz((uint32_t)others) / 8;
    return 4 + (unsigned)__builtin_ctz((uint32_t)(others >> 32)) / 8;
}

static bool get_codes(struct sample_batch *b, struct leb128_bytes codes)
{
    uint32_t i = 0;

    while (i < b->count) {
        if (b->count - i >= GROUP && codes.end - codes.at >= GROUP) {
            const unsigned shorts = get_short_codes(b->place + i, codes.at);

            codes.at += shorts;
            i += shorts;
            if (shorts == GROUP)
                continue;
        }
        b->place[i] = get_code(b, &codes);
        if (b->place[i++] == NO_PLACE)
            return false;
    }
    return codes.at == codes.end;
}

/* Set pair[] from the schedule's state at the first sample. */
static void set_pairs(struct sample_batch *b, const struct schedule *s)
{
    const enum pairing pairing = s->policy->pairing;
    const bool odd = pairing == PAIR_STRATUM ? !s->pair : pairing == PAIR_EACH;
    const bool even = pairing == PAIR_STRATUM ? s->pair : odd;
    const bool group[GROUP] = {even, odd, even, odd, even, odd, even, odd};

    for (uint32_t i = 0; i < b->count; i += GROUP)
        memcpy(b->pair + i, group, sizeof group);
    b->pair[0] = s->pair;
}

/* Replay a stream in which every tick is sent: pairs are those of the schedule. */
static bool replay_all(struct sample_batch *b, const struct sample_setting *setting,
                       struct schedule *s)
{
    const struct sample_prediction f = {setting->source_clock, setting->handler, setting->stamp, setting->points};

    set_pairs(b, s);
    if (!b->timed)
        return true;
    schedule_run(s, b->time + 1, b->count - 1);
    return sample_times(b, &f);
}

/* Subtract the ticks of a decimated frame from the budget; drop the times if it is too small. */
static void charge_budget(struct sample_batch *b, const struct sample_setting *setting)
{
    const uint64_t from = decimate_tick(b->first, setting->thin, setting->seed);
    const uint64_t ticks = decimate_tick(b->first + b->count - 1, setting->thin, setting->seed) - from;

    b->too_costly = ticks > b->budget;
    b->timed = !b->too_costly;
    b->budget -= b->too_costly ? 0 : ticks;
}

/* Replay a decimated stream: pairs are those of the blocks, and a prediction spans several ticks. */
static bool replay_thinned(struct sample_batch *b, const struct sample_setting *setting,
                           struct schedule *s)
{
    const struct sample_prediction f = {1 << 16, 0, setting->stamp, setting->points};
    uint64_t tick = decimate_tick(b->first, setting->thin, setting->seed);

    if (b->timed)
        charge_budget(b, setting);
    b->pair[0] = b->first & 1;
    for (uint32_t i = 1; i < b->count; i++) {
        const uint64_t next = decimate_tick(b->first + i, setting->thin, setting->seed);

        b->pair[i] = !b->pair[i - 1];
        b->time[i] = 0;
        for (; b->timed && tick < next; tick++)
            b->time[i] += sample_replay(setting, s);
    }
    return !b->timed || sample_times(b, &f);
}

static bool restore(struct schedule *s, const struct wire_packed_samples *head)
{
    const struct schedule_state state = {
        .generator = head->generator,
        .phase = head->phase,
        .fraction = head->fraction,
        .carry = wire_unzigzag(head->carry),
        .second = wire_unzigzag(head->second),
    };

    return schedule_restore(s, &state);
}

/* Take the numbers of the head, and check those that need no other data. */
static bool get_head(struct sample_batch *b, const struct wire_packed_samples *head)
{
    b->first = head->first;
    b->lost = head->lost;
    b->timed = head->time != 0;
    b->arrivals = head->arrivals;
    b->earliest = wire_unzigzag(head->earliest);
    b->latest = wire_unzigzag(head->latest);
    b->arrived = wire_unzigzag(head->arrived);
    b->runs = b->too_costly = false;
    b->count = 0;
    b->fulls = 0;
    if (head->first >= SAMPLE_NUMBER_MAX || head->lost > head->first || head->count > SAMPLE_FRAME_MAX)
        return false;
    b->count = (uint32_t)head->count;
    return true;
}

static bool get_samples(struct sample_batch *b, const struct sample_setting *setting,
                        const struct wire_packed_samples *head, bool packed)
{
    const struct leb128_bytes codes = wire_bytes_of(head->codes);
    struct schedule s = setting->schedule;

    if (b->count == 0)
        return head->codes.length == 0 && head->steps.length == 0;
    if (!restore(&s, head) || !(packed ? sample_unpack_places(b, codes) : get_codes(b, codes)))
        return false;
    if (b->timed ? setting->stamp == 0 : head->steps.length != 0 || b->runs)
        return false;
    b->time[0] = head->time;
    b->steps = head->steps;
    if (!(setting->thin > 1 ? replay_thinned(b, setting, &s) : replay_all(b, setting, &s)))
        return false;
    b->time[0] += setting->points ? head->late : 0;
    return true;
}

_Static_assert(offsetof(struct wire_packed_samples, late) == sizeof(struct wire_samples),
               "their first fields are the same");

bool sample_decode(struct sample_batch *b, const struct sample_setting *setting,
                   struct wire_reader *r)
{
    const bool packed = r->type == WIRE_PACKED_SAMPLES;
    struct wire_packed_samples head = {.epoch = 0}; /* of either */
    const bool whole = (packed || r->type == WIRE_SAMPLES) && wire_read_head(r, &head) && get_head(b, &head) &&
                       get_samples(b, setting, &head, packed);

    if (!whole)
        b->count = b->fulls = 0;
    return whole;
}
