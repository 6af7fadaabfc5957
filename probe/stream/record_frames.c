/* SPDX-License-Identifier: MIT */
/* Splits the rows of a record into frames. */
#include "probe/stream/record_frames.h"

void record_frames_begin(struct record_frames *r, enum wire_type type, const void *head)
{
    r->type = type;
    r->head = head;
    r->open = false;
}

static void close(struct record_frames *r)
{
    if (r->open)
        r->send(r->context, r->frame);
    r->open = false;
}

bool record_frames_put(struct record_frames *r, const void *row)
{
    if (r->open && wire_row(r->frame, r->type, row))
        return false;
    close(r);
    wire_begin(r->frame, r->type, r->head);
    wire_row(r->frame, r->type, row);
    r->open = true;
    return true;
}

void record_frames_end(struct record_frames *r, bool empty)
{
    if (!r->open && empty) {
        wire_begin(r->frame, r->type, r->head);
        r->open = true;
    }
    close(r);
}
