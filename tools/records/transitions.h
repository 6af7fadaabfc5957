/* SPDX-License-Identifier: MIT */
/*
 * Adds up the changes of cell of one epoch (account=log), by cell, from its TRANSITIONS and LOGGED frames in almost
 * any order and with any losses; one by one they are read a second time, with struct transition_rows.  Memory does
 * not grow with their number.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/stream/wire.h"
#include "tools/records/number_set.h"

/* Times of a hostile sender could wrap in 64 bits. */
typedef __int128 wide_time;

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

/* All changes that ended a cell. */
struct transition_sum {
    wide_time time; /* clock units */
    uint64_t count;
};

struct transitions {
    struct transition_sum *cell; /* by cell, as in the frames */
    size_t cells;
    uint64_t count;   /* changes that arrived, each once */
    uint64_t strange; /* beside these: with numbers or of cells that no image has */
    struct number_set numbers; /* that arrived */
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

/* Bytes of memory. */
uint64_t transitions_bytes(const struct transitions *t);

/* Missing changes, which count as damage.  After the last frame. */
uint64_t transitions_missing(const struct transitions *t);

/* What a cell as in the frames is, if its task's id arrived: mode, task, and so on; number and time stay 0. */
struct transition transition_of_cell(const struct transitions *t, uint64_t cell);

/* A second reading, in the order of the frames. */
struct transition_rows {
    const struct transitions *meaning; /* of the first reading; set it, and leave the rest 0 */
    struct wire_reader rows;
    uint64_t number; /* of the next row */
    uint64_t next;   /* after the last that was given */
    uint64_t late;   /* rows that came again, or after later ones: left out */
};

/* Read the rows of this TRANSITIONS frame next; its bytes stay valid until transition_rows_next() is false. */
void transition_rows_frame(struct transition_rows *r, struct wire_reader frame);

/* The next change, whose number is not below that of the one before; false: the frame holds no more. */
bool transition_rows_next(struct transition_rows *r, struct transition *to);
