/* SPDX-License-Identifier: MIT */
/*
 * What hwmon found, as an epoch of the stream (docs/PROTOCOL.md): HELLO, raw samples, snapshots
 * with sampled and exact rows, HEALTH, END.  Times are nanoseconds of virtual time.
 */
#ifndef TOOLS_HWMON_EPOCH_H
#define TOOLS_HWMON_EPOCH_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/snapshot.h"
#include "probe/stream/sample_encode.h"
#include "tools/hwmon/sampler.h"
#include "tools/hwmon/stream.h"
#include "tools/hwmon/task.h"

/* The exact half of a window, ns. */
struct window {
    uint64_t begin, end;
    uint64_t monitor;  /* of the handlers that are nobody's */
    uint64_t halted;   /* in HLT, of any task */
    uint64_t changes;  /* of task, ring or handler */
    uint64_t executed; /* instructions */
};

struct epoch_writer {
    struct stream *stream;
    const char *build;    /* of the guest, hexadecimal; may be empty */
    const char *interval, *rng; /* names of the policy and of the generator */
    const char *missing;  /* what could not be done, for people; may be empty */
    uint64_t rate, seed;  /* Hz */
    uint64_t id;          /* of the epoch */
    bool begun;           /* HELLO was sent */
    struct sample_encoder encoder;
    struct snapshot snapshot; /* the last one */
    struct window window;     /* and its window */
};

/*
 * A window was closed: send what was sampled since the last one, and a snapshot.  The first call of
 * an epoch sends HELLO.
 */
void epoch_close(struct epoch_writer *e, const struct window *w, const struct task_table *tasks, struct sampler *sampler);

/* The epoch is over: the last snapshot again, as the final one, and END; nothing if none was sent. */
void epoch_end(struct epoch_writer *e);

#endif
