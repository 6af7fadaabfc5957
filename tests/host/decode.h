/* SPDX-License-Identifier: MIT */
/*
 * Decodes a stream in memory into a model, for the tests of the host tool.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"

struct decoded {
    struct frame_decoder stream;
    struct stream_stats stats;
    struct model model;
};

/* Decode `length` bytes; what `got` held before is freed. */
static inline void decode(struct decoded *got, const uint8_t *bytes, size_t length)
{
    struct stream_event event;

    model_free(&got->model);
    decoder_init(&got->stream);
    for (size_t i = 0; i < length; i++) {
        decoder_feed(&got->stream, &bytes[i], 1, &event);
        model_add_event(&got->model, &event);
    }
    decoder_finish(&got->stream, &event);
    model_add_event(&got->model, &event);
    model_finish(&got->model);
    got->stats = got->stream.stats;
}
