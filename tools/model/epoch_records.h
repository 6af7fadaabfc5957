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

/* Whether a snapshot is possible by the rules of docs/PROTOCOL.md, "Snapshots". */

/* Keep the head of a snapshot that arrived; note what is wrong with it alone and after the one before it. */
void snapshot_note_head(struct epoch *e, const struct wire_snapshot *head);

/* Note what is wrong with a complete snapshot.  False if its hits do not add up. */
bool snapshot_check(struct epoch *e, const struct snapshot *s);

/* Checks the log of changes for consistency and against the exact table (docs/PROTOCOL.md, "Transitions"). */

/*
 * Note contradictions in the log of an epoch; after transitions_finish().  The sums are compared if
 * all changes arrived and the last snapshot is the final one.
 */
void transitions_check(struct epoch *e);

/*
 * Assembles snapshots from their frames.  A snapshot comes into force only when all of its parts
 * have arrived: docs/PROTOCOL.md, "Snapshots".
 */

/* Take a frame of a snapshot of epoch `e`, the last of the model; `head` is the head of its wire record. */
void assembly_head(struct model *m, struct epoch *e, const struct wire_snapshot *head);
void assembly_cells(struct model *m, struct epoch *e, const void *head, struct wire_reader *rows);
void assembly_exact(struct model *m, struct epoch *e, const void *head, struct wire_reader *rows);
void assembly_region(struct model *m, struct epoch *e, const void *head, struct wire_reader *rows);

void assembly_lateness(struct model *m, struct epoch *e, const void *head, struct wire_reader *rows);

/* A delta to the last whole one; where that did not arrive it is counted and dropped. */
void assembly_delta(struct model *m, struct epoch *e, const struct wire_delta *head);

/* No more parts will come: an unfinished snapshot is counted and dropped. */
void assembly_abandon(struct model *m, struct epoch *e);
