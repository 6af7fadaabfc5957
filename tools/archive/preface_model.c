/* SPDX-License-Identifier: MIT */
/* Decodes the frames of a preface into a model. */
#include "tools/archive/preface_model.h"

#include <stdlib.h>

#include "tools/base/alloc.h"

struct refill {
    struct frame_decoder decoder;
    struct model *model;
};

static bool refill(void *context, const uint8_t *bytes, size_t length)
{
    struct refill *r = context;
    struct stream_event event;

    for (size_t at = 0; at < length;) {
        at += decoder_feed(&r->decoder, bytes + at, length - at, &event);
        model_add_event(r->model, &event);
    }
    return true;
}

void preface_fill_model(const struct stream_preface *p, struct model *m)
{
    struct refill *r = xrealloc_array(NULL, 1, sizeof(*r)); /* a decoder is too large for the stack */

    r->model = m;
    decoder_init(&r->decoder);
    preface_write(p, refill, r);
    free(r);
}
