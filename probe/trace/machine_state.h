/* SPDX-License-Identifier: MIT */
/*
 * What is known of the machine at a moment, and how each event changes it.  The senders of classes of states
 * and the readers of events share it.  Any context, host.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/mode.h"

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
