/* SPDX-License-Identifier: MIT */
/*
 * Sends what hwmon found as an epoch of the stream (docs/PROTOCOL.md): HELLO, raw samples, snapshots with sampled
 * and exact rows, HEALTH, END.  Times are nanoseconds of virtual time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/snapshot.h"
#include "probe/stream/event_encode.h"
#include "probe/stream/sample_encode.h"
#include "tools/hwmon/event_monitor.h"
#include "tools/hwmon/options.h"
#include "tools/hwmon/sampler.h"
#include "tools/hwmon/stream.h"
#include "tools/hwmon/task_table.h"

/* The exact half of a window, ns. */
struct window {
    uint64_t begin, end;
    uint64_t monitor;  /* of the handlers that are nobody's */
    uint64_t halted;   /* in HLT, of any task */
    uint64_t halts;    /* how often */
    uint64_t changes;  /* of task, ring or handler */
    uint64_t executed; /* instructions */
};

struct epoch_writer {
    struct stream *stream;
    const char *build;    /* of the guest, hexadecimal; may be empty */
    const struct options *options;
    const char *missing;  /* what could not be done, for people; may be empty */
    uint64_t id;          /* of the epoch */
    bool begun;           /* HELLO was sent */
    uint64_t unit;        /* of the times of events, ns */
    struct sample_encoder encoder;
    struct event_encoder event_encoder;
    uint64_t changes;     /* sent so far */
    uint64_t running;     /* row id of the task that ran when the window began */
    struct snapshot snapshot; /* the last one */
    struct window window;     /* and its window */
};

/* What was recorded since the last close: it is sent, and empty afterwards. */
struct recorded {
    const struct task_table *tasks;
    struct sampler *sampler;
    struct change_log *log;
    struct event_monitor *events;
};

/*
 * A window was closed: send what was recorded since the last one, and a snapshot.  The first call of
 * an epoch sends HELLO.
 */
void epoch_close(struct epoch_writer *e, const struct window *w, const struct recorded *from);

/* The epoch is over: the last snapshot again, as the final one, and END; nothing if none was sent. */
void epoch_end(struct epoch_writer *e, const struct recorded *from);
