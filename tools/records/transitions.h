/* SPDX-License-Identifier: MIT */
/*
 * The changes of cell of one epoch (account=log), decoded from its TRANSITIONS and
 * LOGGED frames in any order and with any losses.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/stream/wire.h"

/* The time that a cell ran, from one change to the next. */
struct transition {
    uint64_t number; /* which change of the window ended it, from 0 */
    int64_t time;    /* clock units; below 0 if the account was ahead by more than that */
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
    uint64_t lost; /* the first ones of these, which the image's log dropped */
    uint64_t *id;  /* by the number of the task; UINT64_MAX: not known */
    size_t ids;
};

/* Begin.  Never NULL. */
struct transitions *transitions_new(void);
void transitions_free(struct transitions *t);

/* Take one frame of the epoch, of either type; false where a task's id has more than 32 bits, and is left out. */
bool transitions_add_frame(struct transitions *t, struct wire_reader *r);

/* After the last frame: order and resolve. */
void transitions_finish(struct transitions *t);

/* Missing changes, which count as damage.  After transitions_finish(). */
uint64_t transitions_missing(const struct transitions *t);
