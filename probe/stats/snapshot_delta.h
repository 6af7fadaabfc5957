/* SPDX-License-Identifier: MIT */
/*
 * A snapshot as what it differs in from an earlier, whole one, its base (docs/PROTOCOL.md, "Deltas").
 *
 * The changes are LEB128 numbers.  First, in part 0 alone: a mask of the fields of the head that differ, in the order
 * of DELTA_HEAD_FIELDS; for each of them its difference to the base; how many buckets of the lateness differ; for
 * each of them its number and its difference.  Then, to the end, rows that differ: a number whose bit 0 says that
 * rows are skipped, and whose other bits are a mask of the fields that differ, in the order of DELTA_ROW_FIELDS, XOR
 * that of the row before it in this part; if bit 0 is set, how many rows are skipped; for each field its difference.
 * Rows are counted in the order of the base, in each part from its first row.  A mask of 0 says that the row is no
 * more.  A row behind the last one of the base is new: its id follows, before the differences, which are to 0.
 *
 * Fields N never fall, so that their difference is a number; that of fields Z is a zigzag, modulo 2^64.  Of a row are
 * said, in place of its own: as changes of a mode its hits less them, as changes of the row those of its modes less
 * them (of a row without modes its total less them), and as total 0 (of a row without modes its total).  A rare
 * task's samples are all changes, so that nothing need be said of these.
 *
 * What cannot be said so is sent as a whole snapshot: a lower number, regions, a final one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/snapshot.h"
#include "probe/stats/snapshot_frames.h"
#include "probe/stream/wire.h"

#define DELTA_PARTS 64u /* at most */

/*
 * N, Z(member of the snapshot, of its row), the bits of the masks from bit 0 on: those that change most often first.
 */
#define DELTA_HEAD_FIELDS(N, Z)                                                                                   \
    N(ticks) N(made) N(monitor) N(transitions) N(intervals) Z(generator) N(mode_changes[MODE_USER])              \
    N(mode_changes[MODE_SUPERVISOR]) N(mode_changes[MODE_KERNEL]) N(mode_changes[MODE_INTERRUPT]) N(late)         \
    N(excess) N(lateness) N(missed_overrun) N(missed_source) N(lost_table) N(lost_ring) N(begin) N(first)         \
    N(points) N(in_handler) N(arrivals) Z(earliest) Z(latest) Z(arrived)
#define DELTA_ROW_FIELDS(N, Z)                                                                                    \
    N(time[MODE_KERNEL]) N(time[MODE_USER]) N(time[MODE_SUPERVISOR]) N(masked[MODE_KERNEL])                       \
    N(masked[MODE_INTERRUPT]) N(hits[MODE_KERNEL]) N(hits[MODE_USER]) N(hits[MODE_SUPERVISOR])                    \
    Z(changes[MODE_KERNEL]) Z(changes[MODE_USER]) Z(total_changes) Z(changes[MODE_SUPERVISOR])                    \
    N(time[MODE_INTERRUPT]) N(hits[MODE_INTERRUPT]) Z(changes[MODE_INTERRUPT]) N(masked[MODE_USER])               \
    N(masked[MODE_SUPERVISOR]) N(total)

/* ---- to send ---- */

/* The caller's memory, in which nothing is kept. */
struct delta_writer {
    struct wire_delta head;
    uint32_t rows; /* of the base: the row that comes next */
    uint32_t mask; /* of the row before it */
    uint32_t length;
    uint8_t changes[WIRE_CODES_MAX];
};

/*
 * Whether `s` can be said as a delta to `base`, a whole snapshot of the same epoch.
 * Task or host context, as the next.
 */
bool snapshot_delta_fits(const struct snapshot *s, const struct snapshot *base);

/* Send it, if it fits. */
void snapshot_delta_send(const struct snapshot *s, const struct snapshot *base, struct delta_writer *w,
                         const struct snapshot_sender *to);

/* ---- to receive ---- */

struct delta_reader {
    const struct snapshot *base;   /* the caller's, as long as parts come */
    struct snapshot *to;           /* the same */
    uint64_t seen;                 /* bit n: part n came */
    uint64_t parts;                /* how many there are; 0: not known yet */
    bool stood[SNAPSHOT_ROWS];     /* by row of `to`: it was among the changes */
    bool gone[SNAPSHOT_ROWS];
};

/* Begin with no part: `to` becomes a copy of the base. */
void delta_reader_begin(struct delta_reader *r, const struct snapshot *base, struct snapshot *to);

/* Take a part, in any order.  False: it cannot be one of a delta to this base, and `to` is of no use. */
bool delta_reader_part(struct delta_reader *r, const struct wire_delta *part);

/* Whether all parts came; then `to` is made whole. */
bool delta_reader_end(struct delta_reader *r);
