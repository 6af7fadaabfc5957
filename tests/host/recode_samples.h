/* SPDX-License-Identifier: MIT */
/*
 * Frames of PACKED_SAMPLES and PACKED_PLACES as senders before 0.9 said the same, in SAMPLES and PLACES: what
 * decoding them takes is what decoding packed ones is compared with.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "probe/coding/leb128.h"
#include "probe/stream/sample_decode.h"
#include "tests/host/dump.h"

struct recoded {
    uint8_t codes[WIRE_FIELDS_MAX + 32], steps[WIRE_FIELDS_MAX + 32];
    uint32_t code_bytes, step_bytes;
};

static inline void recode_place(struct recoded *to, const struct sample_batch *b, uint32_t i)
{
    uint8_t *at = to->codes + to->code_bytes;
    const uint32_t place = b->place[i];

    if (place >= SAMPLE_PLACES_MAX) {
        const struct sample_location *full = &b->full[place - SAMPLE_PLACES_MAX];

        *at++ = SAMPLE_FULL;
        *at++ = full->mode;
        at += leb128_put(at, full->task);
        at += leb128_put(at, wire_zigzag((int64_t)full->pc));
    } else if (place < SAMPLE_SHORT) {
        *at++ = (uint8_t)(place + 1);
    } else {
        *at++ = (uint8_t)(SAMPLE_LONG + ((place - SAMPLE_SHORT) >> 8));
        *at++ = (uint8_t)(place - SAMPLE_SHORT);
    }
    to->code_bytes = (uint32_t)(at - to->codes);
}

static inline void recode_step(struct recoded *to, int64_t step, uint32_t i)
{
    unsigned bits = step == 0 ? SAMPLE_STEP_NONE : SAMPLE_STEP_FAR;

    if (step == 1 || step == -1)
        bits = step == 1 ? SAMPLE_STEP_UP : SAMPLE_STEP_DOWN;
    if (bits == SAMPLE_STEP_FAR)
        to->step_bytes += leb128_put(to->steps + to->step_bytes, wire_zigzag(step));
    to->steps[(i - 1) / 4] |= (uint8_t)(bits << 2 * ((i - 1) % 4));
}

/* Whether two more of the longest samples have room in one frame. */
static inline bool recode_has_room(const struct recoded *r)
{
    return r->code_bytes + r->step_bytes + 150 < WIRE_FIELDS_MAX;
}

/*
 * Append the samples that `r` opened; false, and nothing appended, if they are damaged or would not fit into a frame.
 */
static inline bool recode_samples(struct dump *to, const struct sample_setting *setting, struct wire_reader r)
{
    static struct sample_batch b;
    static struct recoded made;
    static int64_t step[SAMPLE_FRAME_MAX];
    struct wire_reader again = r;
    struct wire_samples head; /* PACKED_SAMPLES has the same fields */

    b.budget = UINT64_MAX;
    if (!wire_read_head(&again, &head) || !sample_decode(&b, setting, &r))
        return false;
    made = (struct recoded){.step_bytes = b.timed ? sample_step_bytes(b.count) : 0};
    if (b.timed && b.count != 0)
        sample_steps(&b, step);
    for (uint32_t i = 0; i < b.count && recode_has_room(&made); i++) {
        recode_place(&made, &b, i);
        if (b.timed && i > 0)
            recode_step(&made, step[i], i);
    }
    head.codes = (struct wire_text){(const char *)made.codes, made.code_bytes};
    head.steps = (struct wire_text){(const char *)made.steps, made.step_bytes};
    if (recode_has_room(&made))
        dump_head(to, WIRE_SAMPLES, &head);
    return recode_has_room(&made);
}

static inline void recode_places(struct dump *to, struct wire_reader r)
{
    const struct wire_places head = {.epoch = 1};
    struct sample_places places;
    struct sample_location where;
    struct wire_writer w;
    uint32_t index;

    sample_places_open(&places, r);
    wire_begin(&w, WIRE_PLACES, &head);
    while (sample_places_next(&places, &index, &where)) {
        const struct wire_places_row row = {.index = index, .task = where.task, .mode = where.mode,
                                            .pc = wire_zigzag((int64_t)where.pc)};

        if (wire_row(&w, WIRE_PLACES, &row))
            continue;
        dump_end_frame(to, &w);
        wire_begin(&w, WIRE_PLACES, &head);
        wire_row(&w, WIRE_PLACES, &row);
    }
    dump_end_frame(to, &w);
}
