/* SPDX-License-Identifier: MIT */
/* Writes the stream's file: frames in order, numbered. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "probe/stream/wire.h"

struct stream {
    FILE *file;
    const char *path;
    struct wire_sent sent; /* of the epoch in force */
    bool failed; /* a write did, and was told */
};

/* False, with a message, if the file cannot be written. */
bool stream_open(struct stream *s, const char *path);

/* Send a frame; one that is too long is a mistake of ours and ends QEMU. */
void stream_send(struct stream *s, struct wire_writer *frame);
void stream_send_head(struct stream *s, enum wire_type type, const void *head);

/* Send how many frames the epoch has so far. */
void stream_send_counts(struct stream *s, uint64_t epoch);
