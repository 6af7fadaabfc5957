/* SPDX-License-Identifier: MIT */
/*
 * Sends a record with rows in as many frames as it needs: rows that find no room go on in a further frame under the
 * same head.  What splits a record is here alone.  No memory but the caller's; any context that may send.  A send()
 * that does nothing counts the frames.
 */
#pragma once

#include <stdbool.h>

#include "probe/stream/wire.h"

struct record_frames {
    void (*send)(void *context, struct wire_writer *frame); /* set by the caller, as the next; may wait */
    void *context;
    struct wire_writer *frame; /* the caller's memory */
    /* of the record that is put: read where a frame begins, so that the caller may change it between rows */
    const void *head;
    enum wire_type type;
    bool open;        /* `frame` is begun, and not sent */
};

/* Begin a record.  `head` lives until its end. */
void record_frames_begin(struct record_frames *r, enum wire_type type, const void *head);

/* Put a row; true where a frame began with it. */
bool record_frames_put(struct record_frames *r, const void *row);

/* Send what is left; a record without rows is nothing, but where `empty`: then it is its head. */
void record_frames_end(struct record_frames *r, bool empty);
