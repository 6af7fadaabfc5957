/* SPDX-License-Identifier: MIT */
/*
 * The sequence of classes of a run: the states of a timeline, each in its class of a tree, equal ones in a
 * row as one run (run-length coded; Thurner, 3.2).  Where the image put them into classes itself, these are
 * taken as they are, and the tree has to be the image's.  One run is a change into its class.  Constant memory
 * but for a number for each task.  Host only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/trace/class_tree.h"
#include "tools/base/hash_index.h"
#include "tools/timeline/timeline.h"

/* A stretch in one class, with one attribute. */
struct class_run {
    int64_t begin, end; /* clock units since start; with `of`: of the first and the last step of the task in it */
    int64_t time;       /* clock units; with `of`: while the task ran, less than end - begin where it was preempted */
    uint64_t number;    /* of the change into it, from 0 */
    uint64_t attribute; /* row id, number of the call, or value of the user event; 0 where the leaf has none */
    uint8_t code;       /* its class, or CLASS_REST, CLASS_PAUSE */
    uint8_t leaf;       /* index in the tree's leaves; of a PAUSE void */
};

/* Who takes the runs, in order. */
struct class_receiver {
    void (*run)(void *context, const struct class_run *run);
    /* something is missing here: what follows does not belong to what came before; may be NULL */
    void (*cut)(void *context);
    void *context;
};

/* What is known of a task. */
struct class_task {
    uint32_t id;
    unsigned value; /* that the tree has for its name */
};

struct class_sequence {
    const struct class_tree *tree;
    const struct epoch *epoch;
    struct class_receiver to;
    bool of_one;  /* only the steps of task `of` */
    uint32_t of;
    unsigned needs;       /* enum state_known: what the tree asks for */
    struct class_run run; /* the unfinished one */
    bool open;            /* there is one */
    bool paused;
    bool before_gaps;     /* nothing was missing so far */
    bool user_events;     /* the stream has some */
    uint64_t runs;
    int64_t leaf_time[CLASS_VALUES]; /* by the tree's leaves, clock units; without PAUSE */
    int64_t pause_time;
    uint64_t unknown;      /* steps of which something that the tree asks for is not known; they are left out */
    int64_t unknown_time;  /* their sum, clock units */
    unsigned missing;      /* what they lacked, enum state_known */
    struct class_task *task;
    size_t tasks;
    struct index task_of; /* by id */
};

void class_sequence_begin(struct class_sequence *s, const struct class_tree *tree, const struct epoch *e,
                          const struct class_receiver *to);
void class_sequence_add(struct class_sequence *s, const struct timeline_item *item);
void class_sequence_end(struct class_sequence *s);

/* Whether classes that the image recorded tell the task of each state, for `of`: all but the tick's handler's. */
bool class_sequence_tells_tasks(const struct class_tree *tree);

/* "system calls" and so on, of one bit of enum state_known. */
const char *class_sequence_needs(unsigned bit);

/*
 * Searches a sequence of classes for a regular expression (PCRE2), as Thurner (3.2, figure 6) does with
 * "5 [1]+9".  Each run is one letter, so that `[1]+` is one or more changes into 1 and {n} counts changes.
 * Blanks mean nothing.  Constant memory: a window of the sequence.
 */

#define CLASS_SPAN 65536u /* changes that a match spans at most */

/* A place where the expression matches. */
struct class_hit {
    const struct class_run *run; /* its runs, in order; valid during the call */
    size_t runs;
};

struct class_match;

/* Compile an expression.  NULL, with a sentence in `why`, which has `size` bytes, where it is none. */
struct class_match *class_match_new(const char *expression, void (*hit)(void *context, const struct class_hit *hit),
                                    void *context, char *why, size_t size);
void class_match_free(struct class_match *m);

/* The sequence: these are for a struct class_receiver, whose context is the match. */
void class_match_run(void *match, const struct class_run *run);
void class_match_cut(void *match);

/* The sequence ends. */
void class_match_end(struct class_match *m);

/*
 * NULL; or why the search was given up: a match that is too long or too much work.
 * From number `at` on nothing was searched.
 */
const char *class_match_given_up(const struct class_match *m, uint64_t *at);

/*
 * Time by row, state and column: a stretch of a run in equal columns, for charts over time.  All
 * times are whole clock units, so that the sums of a grid are those of what was added.  Host only.
 */

#define GRID_STATES   9
#define GRID_COLUMNS  4096 /* at most */
#define GRID_ROWS     512  /* at most; what has no row goes to row GRID_OTHERS */
#define GRID_OTHERS   UINT64_MAX

struct grid_cell {
    uint64_t time[GRID_STATES]; /* clock units */
};

struct grid_row {
    uint64_t key; /* the caller's: a row id, or a number of its own above 32 bits */
    uint64_t time[GRID_STATES]; /* over all columns */
    struct grid_cell *cell; /* one a column */
};

struct time_grid {
    int64_t from, to; /* clock units, from < to */
    unsigned columns;
    struct grid_row *row;
    size_t rows, most; /* at most GRID_ROWS, which a caller may lower before the first row */
    struct index row_of; /* by key */
};

/* `columns` from 1 to GRID_COLUMNS, from < to.  All zeros. */
void time_grid_begin(struct time_grid *g, int64_t from, int64_t to, unsigned columns);
void time_grid_free(struct time_grid *g);

/* Add the part of [begin, end) that is in the grid to a row's state, below GRID_STATES. */
void time_grid_add(struct time_grid *g, uint64_t key, unsigned state, int64_t begin, int64_t end);

/*
 * Add `time` to a row's state, spread evenly over [begin, end), begin < end; what is outside of the grid is left out.
 */
void time_grid_spread(struct time_grid *g, uint64_t key, unsigned state, int64_t begin, int64_t end, uint64_t time);

/* The row of a key; NULL: nothing was added to it. */
const struct grid_row *time_grid_row(const struct time_grid *g, uint64_t key);

/* Where a column begins; of number `columns`: where the grid ends. */
int64_t time_grid_column(const struct time_grid *g, unsigned column);

/* The sum of a row's or a cell's states. */
uint64_t grid_sum(const uint64_t time[GRID_STATES]);

/* The state with the most time; GRID_STATES: none has any. */
unsigned grid_greatest(const struct grid_cell *cell);

/* The grid of a run: a row for each task, and rows for interrupts, sections with interrupts off, and the monitor. */

/* Keys of rows that are no task; a task's key is its row id. */
#define GRID_KEY(n)     ((uint64_t)(n) << 32)
#define GRID_UNKNOWN    GRID_KEY(1) /* a task whose id did not arrive */
#define GRID_INTERRUPTS GRID_KEY(2) /* handlers of interrupts, whatever task they interrupt */
#define GRID_MASKED     GRID_KEY(3) /* interrupts off */
#define GRID_MONITOR    GRID_KEY(4) /* the tick's handler, no task's time */
#define GRID_GAPS       GRID_KEY(5) /* nothing is known */

#define GRID_CLASSES    GRID_KEY(6) /* plus the number of a class of states */

/* States: the modes, by number, then these. */
enum { GRID_NO_MODE = MODES, GRID_IRQ_OFF, GRID_TICK, GRID_NOTHING, GRID_IN_CLASS };

/* Add a step or a gap. */
void run_grid_add(struct time_grid *g, const struct timeline_item *item);

/* Whether a row is a task's, or of tasks without an id or a row of their own. */
static inline bool run_grid_is_task(uint64_t key)
{
    return key <= GRID_UNKNOWN || key == GRID_OTHERS;
}

/* The name of a row; those of classes have none here. */
void run_grid_name(const struct epoch *e, uint64_t key, char name[NAME_SIZE]);

/* Order the rows: tasks with the longest time first, IDLE last of them, then the other rows by key. */
void run_grid_sort(struct time_grid *g);
