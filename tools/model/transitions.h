/* SPDX-License-Identifier: MIT */
/*
 * The changes of cell of one epoch (account=log), decoded from its TRANSITIONS and
 * LOGGED frames in any order and with any losses.
 */
#ifndef TOOLS_MODEL_TRANSITIONS_H
#define TOOLS_MODEL_TRANSITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/stream/wire.h"

/* How long a cell had the processor, from one change to the next. */
struct transition {
    uint64_t number; /* which change of the window ended it, from 0 */
    int64_t time;    /* clock units; below 0 where the account had run ahead by more */
    uint32_t id;     /* row id of the task */
    enum mode mode;
    bool masked;     /* with interrupts off */
    bool monitor;    /* the tick's handler: no task, no mode */
    bool known;      /* the task's id arrived */
    uint64_t cell;   /* as in the frame */
};

struct transitions {
    struct transition *transition; /* in order; a number that is skipped did not arrive */
    size_t count;
    uint64_t told; /* changes in the window, as LOGGED says; 0: it did not arrive */
    uint64_t lost; /* of these, the first ones: the image's log had to drop them */
    uint64_t *id;  /* by the number of the task; UINT64_MAX: not known */
    size_t ids;
};

/* Begin.  Never NULL. */
struct transitions *transitions_new(void);
void transitions_free(struct transitions *t);

/* Take one frame of the epoch, of either type; false where a task's id has more than 32 bits, and is left out. */
bool transitions_add_frame(struct transitions *t, struct wire_reader *r);

/* No more frames: order and resolve. */
void transitions_finish(struct transitions *t);

/* Changes that should be here and are not: damage.  After finish. */
uint64_t transitions_missing(const struct transitions *t);

#endif
