/* SPDX-License-Identifier: MIT */
/*
 * The classes of a run, from its events: each change of class ends a stretch (Thurner, 3.2: run-length coded).
 * Whoever empties the buffer of events feeds them, in their order.  Task context, host.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/trace/class_tree.h"
#include "probe/trace/event_class.h"
#include "probe/trace/machine_state.h"

/* A stretch of a run in one class of states.  Any context, host. */

#define CLASS_GAP  34u /* the class of a stretch of which nothing is known; attribute: class_gap() */
#define CLASS_SENT 35u /* classes that can be sent: those of a tree, REST, PAUSE and this one */

_Static_assert(CLASS_GAP == CLASS_CODES, "the first that no tree has");

/* A stretch in one class. */
struct class_stretch {
    uint64_t begin, end; /* clock units since start; `end` may be below `begin`, by some instructions */
    uint64_t attribute;  /* 0 where it has none */
    uint8_t code;        /* below CLASS_SENT */
    bool attributed;     /* it has an attribute */
};

/* Why nothing is known. */
enum class_gap_cause { CLASS_GAP_PAUSED, CLASS_GAP_NO_ROOM, CLASS_GAP_OVERWRITTEN, CLASS_GAP_UNKNOWN,
                       CLASS_GAP_CAUSES };

/* The attribute of a gap: its cause, and how many events are missing. */
static inline uint64_t class_gap(enum class_gap_cause cause, uint64_t missing)
{
    return missing << 2 | cause;
}
static inline enum class_gap_cause class_gap_cause(uint64_t attribute)
{
    return (enum class_gap_cause)(attribute & 3);
}
static inline uint64_t class_gap_missing(uint64_t attribute)
{
    return attribute >> 2;
}

#define CLASS_RUN_TASKS 256u /* numbers that trace_task_number() tells apart */

/* A task, by its number in the image. */
struct class_run_task {
    struct machine_task own;
    uint32_t row;   /* its row id; another one: another task has this number now */
    unsigned value; /* that the tree has for its name */
    bool known;     /* `row` and `value` are */
};

struct class_runs_request {
    const struct class_tree *tree; /* it stays */
    uint32_t classes;              /* of events that are recorded */
    uint64_t time;                 /* when the first event can be; clock units since start */
    struct span (*name)(uint32_t row, unsigned number); /* of a task */
    void (*put)(void *context, const struct class_stretch *run);
    void *context;
};

/* Memory of the caller, 9 KB. */
struct class_runs {
    struct class_runs_request request;
    unsigned needs, told;        /* enum state_known: what the tree asks for, what the events tell */
    struct machine_state now;
    uint64_t begin;              /* of this state */
    bool paused;                 /* by START and STOP */
    bool whole;                  /* no event was missing so far: a task without a user event had none */
    uint64_t gap;                /* class_gap() of states of which not everything is known */
    struct class_stretch open;   /* the last stretch, which may go on */
    bool any;                    /* there is one */
    struct class_run_task task[CLASS_RUN_TASKS];
};

/* What a tree needs: classes of events, as a mask. */
uint32_t class_runs_classes(const struct class_tree *tree);

void class_runs_begin(struct class_runs *r, const struct class_runs_request *request);

/* The next event; those that change no state are ignored.  PAUSE and LOST begin a gap. */
void class_runs_take(struct class_runs *r, uint64_t time, unsigned class, uint64_t argument);

/* So many events before `time` were overwritten. */
void class_runs_skip(struct class_runs *r, uint64_t time, uint64_t missing);

/* The run ends at `time`: events after it are void.  Gives what is left. */
void class_runs_end(struct class_runs *r, uint64_t time);

/* Give the stretch that ended last, and may go on: what follows begins a new one. */
void class_runs_flush(struct class_runs *r);
