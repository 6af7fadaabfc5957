/* SPDX-License-Identifier: MIT */
/*
 * What is known of the machine at a moment, and how each event changes it.  The senders of classes of states
 * and the readers of events share it.  Any context, host.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/trace/class_tree.h"

/*
 * What is known of a state or an event: a source may not tell everything, and after a gap a mode
 * is not known before it is entered again.
 */
enum state_known {
    KNOWN_TASK = 1,
    KNOWN_MODE = 2,
    KNOWN_MASKED = 4,
    KNOWN_NESTING = 8,
    KNOWN_CALL = 16,
    KNOWN_USER = 32,
    KNOWN_TIME = 64, /* else times count from the gap before, because nothing tells how long that was */
};

#define CALL_NONE (-1)

/* What stays with a task while others run. */
struct machine_task {
    uint64_t user;  /* argument of its last user event */
    int32_t call;   /* system call or service that it is in; CALL_NONE */
    unsigned known; /* KNOWN_CALL, KNOWN_USER */
};

struct machine_state {
    uint64_t task;    /* trace_task() of the running one */
    uint64_t user;    /* argument of its last user event */
    int32_t call;     /* number of the system call or service that it executes, or CALL_NONE */
    unsigned nesting; /* interrupts that are being handled, one inside the other */
    enum mode mode;
    bool monitor;     /* the tick's handler: no task, no mode */
    bool masked;      /* interrupts are off */
    unsigned known;   /* enum state_known */
};

/* Nothing is known. */
#define MACHINE_STATE_UNKNOWN ((struct machine_state){.call = CALL_NONE})
#define MACHINE_TASK_UNKNOWN    ((struct machine_task){.call = CALL_NONE})

/* What these classes of events tell of states, enum state_known. */
unsigned machine_state_told(uint32_t classes);

/* The classes of events that change a state. */
uint32_t machine_state_classes(void);

/* What stays with the running task. */
struct machine_task machine_state_own(const struct machine_state *s);

/* Another task runs, or one is known again; `own` is what stayed with it. */
void machine_state_run(struct machine_state *s, uint64_t task, const struct machine_task *own);

/*
 * An event of this class (enum trace_class), with its argument.  After SWITCH and CONTINUE the caller has
 * to call machine_state_run() first.
 */
void machine_state_apply(struct machine_state *s, unsigned class, uint64_t argument);

/* The class of a state of the machine (probe/trace/machine_state.h) in a tree.  Any context, host. */

/* What has to be known of a state for its class and its attribute in this tree: enum state_known. */
unsigned class_state_needs(const struct class_tree *tree);

/*
 * The leaves that a state leaves open.  `task` is what class_tree_task() gives for the name of its task.  The
 * tick's handler belongs to no task, and masks interrupts.
 */
uint64_t class_state_open(const struct class_tree *tree, const struct machine_state *state, unsigned task);

/*
 * What is recorded beside the class: row id, number of the call (CLASS_NONE: none), value of the user event; else 0.
 */
uint64_t class_state_attribute(const struct class_leaf *leaf, const struct machine_state *state);
