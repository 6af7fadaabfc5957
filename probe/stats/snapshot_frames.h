/* SPDX-License-Identifier: MIT */
/* Snapshots as frames (docs/PROTOCOL.md, "Snapshots"), for every sender of one. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/snapshot.h"
#include "probe/stream/wire.h"

struct snapshot_sender {
    uint64_t epoch;
    uint32_t (*program_of)(void *context, uint32_t id); /* number of a row's program; 0: none */
    void (*send)(void *context, struct wire_writer *frame); /* may wait */
    void *context;             /* of both */
    struct wire_writer *frame; /* the caller's memory; nothing is kept in it */
    bool unnamed;              /* without NAMES, which the caller sends at other times */
};

/*
 * A snapshot that is made as it is sent, row by row: for a sender that has no memory for all of it at once.
 * Each function gives the same answers until the whole is sent; what row() returns is valid until its next call,
 * and NULL where there is no row of this number.
 */
struct snapshot_parts {
    struct wire_snapshot head; /* but for the numbers of frames and buckets, which are set here */
    bool exact;
    uint32_t rows;
    const struct snapshot_row *(*row)(const void *from, uint32_t number);
    const uint64_t *bucket; /* SNAPSHOT_BUCKETS of them */
    /* head.regions of them: the frame's head but for its parts; hits and changes by slot. */
    struct wire_region (*region)(const void *from, uint32_t number, const uint64_t **hits, const uint64_t **changes);
    const void *from; /* of both */
};

/* Send NAMES (unless `unnamed`), SNAPSHOT and all parts of it.  Task or host context, as the next. */
void snapshot_send_parts(struct snapshot_parts *parts, const struct snapshot_sender *to);

/* The same of a whole one. */
void snapshot_send(const struct snapshot *s, const struct snapshot_sender *to);

/* Its NAMES alone. */
void snapshot_send_names(const struct snapshot *s, const struct snapshot_sender *to);

/*
 * What a snapshot, a row of it or a region has in common with its record: taken from a record, and put into one.
 * The rest of both stays.  Any context.
 */
void snapshot_take_head(struct snapshot *to, const struct wire_snapshot *from);
void snapshot_put_head(struct wire_snapshot *to, const struct snapshot *from);
void snapshot_take_cells(struct snapshot_row *to, const struct wire_cells_row *from);
void snapshot_put_cells(struct wire_cells_row *to, const struct snapshot_row *from);
void snapshot_take_exact(struct snapshot_row *to, const struct wire_exact_row *from);
void snapshot_put_exact(struct wire_exact_row *to, const struct snapshot_row *from);
void snapshot_take_region(struct snapshot_region *to, const struct wire_region *from);
void snapshot_put_region(struct wire_region *to, const struct snapshot_region *from);
