/* SPDX-License-Identifier: MIT */
/* Stores each record in its epoch. */
#pragma once

#include "probe/stream/wire_fields.h"
#include "tools/model/stream_model.h"

struct frame {
    struct model *model;
    struct epoch *epoch;
    struct wire_reader reader; /* at the head of the record */
    struct wire_reader rows;   /* at the rows after the head */
    union wire_head head;
    size_t length; /* bytes on the line, zeros included */
};

/* The newest time that the image told. */
static inline void epoch_heard(struct epoch *e, uint64_t time)
{
    if (time > e->heard)
        e->heard = time;
}

/* Keep a frame of any record but END, COMMAND and ANSWER. */
void epoch_add_record(struct frame *f);

/* After the last frame: sort what came, and note violations. */
void epoch_finish(struct epoch *e);

void epoch_free(struct epoch *e);
