/* SPDX-License-Identifier: MIT */
/*
 * Keeps the newest part of a line's stream, so that a page can read its samples and states one by one.  Memory is
 * bounded: when a part is long enough another one is begun beside it with a preface, so that it can be read alone,
 * and takes its place when it is as long.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/archive/stream_preface.h"

/* bytes that are kept of what came, up to twice as many; 45 s at 115200 bits a second */
#define HISTORY_LEAST (512u << 10)

struct history_part {
    uint8_t *bytes;
    size_t length, room;
    size_t came; /* of `length`, the bytes behind the preface */
};

/* All zeros at first. */
struct line_history {
    struct history_part part, next;
    bool begun; /* `next` is in use */
    bool cut;   /* older bytes are gone */
};

/* Keep what came. */
void line_history_bytes(struct line_history *h, const uint8_t *bytes, size_t length);

/* Behind the bytes that end a frame: a new part may begin here, with this preface. */
void line_history_event(struct line_history *h, const struct stream_preface *preface);

/* A file without a name that has what is kept, for the caller to close; below 0, with errno: that failed. */
int line_history_file(const struct line_history *h);

void line_history_free(struct line_history *h);
