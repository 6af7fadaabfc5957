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
    bool full;     /* no more memory is to be taken for it */
};

/* Keep a frame of any record but those between a host and the image. */
void epoch_add_record(struct frame *f);

/* The functions that the rows of wire.h name. */
#define WIRE_KEEPER_READ
#define WIRE_KEEPER_TALK
#define WIRE_KEEPER_ALL
#define WIRE_KEEPER_KEYS
#define WIRE_KEEPER_LAST
#define WIRE_KEEPER_REPORTED(how, members)
#define WIRE_KEEPER_SUMMED(how) void keep_##how(struct frame *f);
#define WIRE_KEEPER_OWN(how)    WIRE_KEEPER_SUMMED(how)
#define WIRE_KEEPER(NAME, name, id, keep, what) WIRE_KEEPER_##keep
WIRE_RECORDS(WIRE_KEEPER)
#undef WIRE_KEEPER

/* No more parts of the epoch and of its second source will come. */
void epoch_abandon(struct model *m, struct epoch *e);

/* After the last frame: sort what came, and note violations. */
void epoch_finish(struct epoch *e);

void epoch_free(struct epoch *e);
