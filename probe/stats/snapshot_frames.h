/* SPDX-License-Identifier: MIT */
/* Snapshots as frames (docs/PROTOCOL.md, "Snapshots"), for every sender of one. */
#ifndef PROBE_STATS_SNAPSHOT_FRAMES_H
#define PROBE_STATS_SNAPSHOT_FRAMES_H

#include <stdint.h>

#include "probe/stats/snapshot.h"
#include "probe/stream/wire.h"

struct snapshot_sender {
    uint64_t epoch;
    uint32_t (*program_of)(void *context, uint32_t id); /* number of a row's program; 0: none */
    void (*send)(void *context, struct wire_writer *frame); /* may wait */
    void *context;             /* of both */
    struct wire_writer *frame; /* the caller's memory; nothing is kept in it */
};

/* Send NAMES, SNAPSHOT and all parts of it.  Task or host context. */
void snapshot_send(const struct snapshot *s, const struct snapshot_sender *to);

#endif
