/* SPDX-License-Identifier: MIT */
/*
 * Follows the guest: instructions executed and virtual time, the running task, its ring, and what is charged with
 * the time.  Called from QEMU's callbacks, in the order of execution.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/hwmon/block.h"
#include "tools/hwmon/class_time.h"
#include "tools/hwmon/epoch.h"
#include "tools/hwmon/event_monitor.h"
#include "tools/hwmon/qemu.h"
#include "tools/hwmon/sampler.h"
#include "tools/hwmon/task_table.h"

/* Flags of a block. */
#define BLOCK_INTERRUPT 1u /* its first instruction is the entry of an interrupt handler */
#define BLOCK_MONITOR   2u /* the same of a handler whose time is nobody's */
#define BLOCK_RETURNS   4u /* its last instruction is IRET */
#define BLOCK_HALTS     8u /* its last instruction is HLT */

/* What of each state, enum state_known; with ranges KNOWN_USER too. */
#define MACHINE_KNOWN (KNOWN_TASK | KNOWN_MODE | KNOWN_NESTING)

struct task_state {
    uint64_t address;   /* what the word of the running task held */
    struct task *task;
    bool interrupted;   /* in a handler, from its entry to IRET */
    unsigned range;     /* that its code was in last, as of a block */
    unsigned vector;    /* of that handler, plus 1; 0: not known */
};

struct machine {
    uint64_t executed; /* instructions; the translated code adds */
    struct qemu qemu;
    const struct block *block;               /* the last one begun; NULL: none yet */
    uint64_t block_executed, block_time;     /* when it began */
    uint64_t due;                            /* when the next sample is, virtual time; UINT64_MAX: none */
    uint64_t last;                           /* up to here time is charged */
    struct task_table tasks;
    struct task_state *state;                /* of the tasks seen, by address */
    size_t states;
    struct task_state *running, *next;       /* next: from the switch on */
    bool no_tasks;                           /* none is ever told: HLT is row IDLE, all else one row */
    unsigned ring;
    unsigned range;     /* of the code that is executed, as of a block; UINT_MAX: not told yet */
    bool in_monitor, open, ranges; /* ranges: there are some */
    uint64_t monitored;                      /* time of `monitor` since the start */
    struct window window;
    struct sampler sampler;
    struct sample_list list;
    struct change_log log;
    struct class_time classes;   /* where it is on */
    struct event_monitor events; /* where it is not on, no event is recorded */
    uint64_t alarm;                          /* virtual time of the next call of `ring_alarm`; UINT64_MAX: none */
    void (*ring_alarm)(void *context);
    void *context;
};

void machine_init(struct machine *m);

/* A block begins.  Cheap where nothing changes. */
void machine_block(struct machine *m, const struct block *b);

/* The word of the running task holds `address` now, the name of that task is `name`. */
void machine_next_task(struct machine *m, uint64_t address, const char *name);

/* The task stored last runs from here on. */
void machine_switch(struct machine *m);

/* A window begins here: all counts are 0. */
void machine_open(struct machine *m);

/* An event point is reached, its value is `value`. */
void machine_event(struct machine *m, struct event_point *point, uint64_t value);

/* Charge the time up to here, so that window, tasks and log can be read. */
void machine_settle(struct machine *m);
