/* SPDX-License-Identifier: MIT */
/* Snapshots as frames (docs/PROTOCOL.md, "Snapshots"), for every sender of one. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/snapshot.h"
#include "probe/stream/wire.h"

/*
 * What a snapshot and its records have in common, for the sender and for the receiver: F(member of the
 * snapshot, of its row or of its region; field of the record).
 */
#define SNAPSHOT_HEAD_FIELDS(F)                                                                                   \
    F(serial, serial) F(final, final) F(ticks, ticks) F(samples, samples) F(late, late) F(excess, excess)        \
    F(missed_overrun, missed_overrun) F(missed_source, missed_source) F(lost_table, lost_table)                  \
    F(lost_ring, lost_ring) F(begin, begin) F(end, end) F(made, made) F(monitor, monitor)                        \
    F(transitions, transitions) F(generator, generator) F(intervals, intervals) F(first, first)                  \
    F(lateness, lateness) F(mode_changes[MODE_USER], changes_user)                                               \
    F(mode_changes[MODE_SUPERVISOR], changes_supervisor) F(mode_changes[MODE_KERNEL], changes_kernel)            \
    F(mode_changes[MODE_INTERRUPT], changes_interrupt) F(points, points) F(in_handler, in_handler)                \
    F(arrivals, arrivals) F(earliest, earliest) F(latest, latest) F(arrived, arrived)
#define SNAPSHOT_CELLS_FIELDS(F)                                                                                  \
    F(hits[MODE_USER], user) F(hits[MODE_SUPERVISOR], supervisor) F(hits[MODE_KERNEL], kernel)                   \
    F(hits[MODE_INTERRUPT], interrupt) F(total, total) F(changes[MODE_USER], changes_user)                       \
    F(changes[MODE_SUPERVISOR], changes_supervisor) F(changes[MODE_KERNEL], changes_kernel)                      \
    F(changes[MODE_INTERRUPT], changes_interrupt) F(total_changes, changes_total)
#define SNAPSHOT_EXACT_FIELDS(F)                                                                                  \
    F(time[MODE_USER], user) F(time[MODE_SUPERVISOR], supervisor) F(time[MODE_KERNEL], kernel)                   \
    F(time[MODE_INTERRUPT], interrupt) F(masked[MODE_USER], masked_user)                                         \
    F(masked[MODE_SUPERVISOR], masked_supervisor) F(masked[MODE_KERNEL], masked_kernel)                          \
    F(masked[MODE_INTERRUPT], masked_interrupt)
#define SNAPSHOT_REGION_FIELDS(F)                                                                                 \
    F(task, task) F(mode, mode) F(low, low) F(high, high) F(base, base) F(shift, shift) F(below, below)          \
    F(above, above) F(active, active) F(changes_below, changes_below) F(changes_above, changes_above)            \
    F(changes_active, changes_active)

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
