/* SPDX-License-Identifier: MIT */
/* From an input of the stream target (tests/fuzz/frames.h) to a stream: right checksums, right sequence numbers. */
#pragma once

#include "tests/fuzz/frames.h"
#include "tests/host/dump.h"

static inline void fuzz_put_noise(struct dump *d, const uint8_t *bytes, size_t length)
{
    if (length)
        dump_raw(d, bytes, length);
}

static inline void fuzz_encode_item(struct dump *d, const struct fuzz_item *item)
{
    size_t length = item->length < WIRE_FIELDS_MAX ? item->length : WIRE_FIELDS_MAX;
    struct wire_writer w = {.length = 3 + length};

    if (item->type == FUZZ_NOISE) {
        fuzz_put_noise(d, item->at, item->length);
    } else if (item->type == FUZZ_JUMP) {
        d->sequence += (uint16_t)item->length;
    } else {
        w.bytes[0] = item->type;
        memcpy(w.bytes + 3, item->at, length);
        dump_end_frame(d, &w);
    }
}

/* The stream that an input of the stream target stands for; its bytes are the caller's. */
static inline struct dump fuzz_encode(const uint8_t *data, size_t size)
{
    const uint8_t *at = data + 1, *end = data + size;
    struct dump d = {0};
    struct fuzz_item item;

    if (!(*data & FUZZ_FRAMES))
        fuzz_put_noise(&d, at, size - 1);
    else
        while (fuzz_next(&at, end, &item))
            fuzz_encode_item(&d, &item);
    return d;
}
