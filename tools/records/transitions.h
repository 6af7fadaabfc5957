/* SPDX-License-Identifier: MIT */
/*
 * The changes of cell of one epoch (account=log), from its TRANSITIONS and LOGGED frames in almost any order and with
 * any losses.  They are added up by cell; one by one they are read a second time, with struct transition_rows.
 * Memory does not grow with their number.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/stream/wire.h"
#include "tools/base/hash_index.h"

/*
 * Contents of a stream that docs/PROTOCOL.md forbids although the checksums are right: the sender
 * is broken or hostile.  Counted by rule; one message for each rule.
 */

/* rule: name, what the sentence says of it */
#define VIOLATION_RULES(R)                                                             \
    R(HELLO, "a HELLO contradicts the first one of its epoch")                         \
    R(VALUE, "a field has a value that it cannot have")                                \
    R(NAME_LENGTH, "a name has not 1 to 14 characters")                                \
    R(NAME_CHANGED, "a row id has another name or program than before")                \
    R(NAME_SHARED, "with identity=name two row ids have one name")                     \
    R(PROGRAM_CHANGED, "a program has another name or build id than before")           \
    R(SERIAL, "the serial of a snapshot is not above that of the one before")          \
    R(AFTER_FINAL, "a snapshot comes after the final one")                             \
    R(PARTS, "a snapshot has more rows, parts or regions than any has")                \
    R(PART_TWICE, "a part of a snapshot comes twice")                                  \
    R(ROW_TWICE, "a row stands twice in a snapshot")                                   \
    R(TIMES, "begin, first tick, end and sending of a snapshot are not in this order") \
    R(COUNTERS, "more samples, late or missed ticks or excess than there can be")                \
    R(BACKWARD, "a cumulative counter is below that of the snapshot before")           \
    R(BUCKETS, "the rows of LATENESS are not the late ticks")                          \
    R(LOST, "row LOST is not the samples that found no record")                        \
    R(CHANGES, "more pairs change than hits can")                                      \
    R(MONITOR, "the monitor had more time than the window")                            \
    R(EXACT, "exact times add up to more than the window less the monitor")            \
    R(REGION, "a region cannot be, or its parts contradict each other")                \
    R(DELTA, "a DELTA cannot be one to the whole snapshot that it names")               \
    R(SAMPLES, "a frame of raw samples or places cannot be the image's")               \
    R(TOLD, "more raw samples are told than ticks fired, or lost than told")           \
    R(LOG, "the log of changes contradicts itself or the exact table")                 \
    R(AMOUNT, "records are left out, since no more are kept in memory")

enum violation {
#define VIOLATION_NAME(NAME, what) VIOLATION_##NAME,
    VIOLATION_RULES(VIOLATION_NAME)
#undef VIOLATION_NAME
    VIOLATIONS
};

#define VIOLATION_WHERE 32 /* bytes of the position of a rule's first violation, with the zero */

struct violations {
    struct {
        uint64_t count;
        char where[VIOLATION_WHERE];
    } of[VIOLATIONS];
};

/*
 * Count a violation; *v is NULL before the first, and freed by the caller.  The position of a
 * rule's first violation is kept: a format as in printf().
 */
void violation_note(struct violations **v, enum violation rule, const char *where, ...)
    __attribute__((format(printf, 3, 4)));

/* Print a message for each violated rule on standard error; false: there was none. */
bool violations_print(const char *path, const struct violations *v);

/*
 * Which numbers came, as ranges in bounded memory: records that come in order, or in stretches, are one range each.
 */

#define NUMBER_RANGES 1024u /* stretches that are told apart: the last ones */

struct number_set { /* all zeros: empty */
    struct number_range {
        uint64_t begin, end; /* end: the number after the last */
    } *range; /* ascending; between two of them at least one number is missing */
    size_t ranges;
};

/*
 * Add a number below UINT64_MAX.  False: it was there, or it comes too late: more stretches came after it than are
 * told apart.
 */
bool number_set_add(struct number_set *s, uint64_t number);

/* The number after the highest; 0 of none. */
uint64_t number_set_end(const struct number_set *s);
void number_set_free(struct number_set *s);

/* ---- the changes ---- */

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
size_t transitions_bytes(const struct transitions *t);

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

/* Addresses at which tasks had, for a part of the run, other code than their files have (record CODE). */

#define CODE_ROWS   4096 /* row ids: no image has more tasks */
#define CODE_RANGES 1024 /* kept of each; more of them count as one that has all between */

struct changed_code {
    struct code_of_row {
        struct code_range { uint64_t from, to; } *range; /* [from, to) */
        size_t ranges;
    } *of;
    size_t count;
    struct index of_id; /* by row id */
};

/* Take a record.  A violation is noted where it is impossible.  Returns the bytes of memory that were taken. */
size_t changed_code_add(struct changed_code *c, const struct wire_code *head, struct violations **v);

/* Whether tasks of the row had other code at this address for a part of the run. */
bool changed_code_at(const struct changed_code *c, uint32_t id, uint64_t address);

void changed_code_free(struct changed_code *c);
