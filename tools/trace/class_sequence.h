/* SPDX-License-Identifier: MIT */
/*
 * Tells the sequence of classes of a run: the states of a timeline, each in its class of a tree, equal ones in a
 * row as one run (run-length coded; Thurner, 3.2).  Where the image put them into classes itself, these are taken
 * as they are, and the tree has to be the image's.  One run is a change into its class.  Constant memory but for
 * a number for each task.  Host only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
