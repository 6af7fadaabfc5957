/* SPDX-License-Identifier: MIT */
/*
 * The pages that a task shares with the kernel (kernel/abi/monitor_page.h): user events are taken
 * from them when the task leaves the processor and when it asks, and put into the ring of events in
 * the order of their times.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/abi/monitor_page.h"
#include "kernel/abi/profil.h"

struct task;

/* In struct task.  All zero: the task has no such pages.  Interrupts off. */
struct task_monitor {
    struct monitor_page *page; /* the kernel's address of it */
    uint64_t taken;            /* records that were taken */
    uint64_t begin;            /* TSC: when the task began to run, or to be, last */
    uint64_t begun, left;      /* TSC: when the stretch before that began and ended */
    uint64_t last;             /* TSC of the last record that was taken */
    uint64_t away;             /* TSC clocks before it was made, and since then while it did not run */
};

/* Give a task that was made and not started its pages.  False where there is no memory.  Task context. */
bool task_monitor_open(struct task *t);

/* The task leaves the processor; it runs again.  Only where it has pages.  Interrupts off. */
__attribute__((cold)) void task_monitor_leave(struct task *t);
__attribute__((cold)) void task_monitor_enter(struct task *t);

/* Take what the running task has recorded.  Interrupts off. */
void task_monitor_take(struct task *t);

/*
 * The kernel's address of the head and of row `number`, from 1 to CALL_ROWS - 1, of a task's table of
 * calls; NULL where it has none any more.  The contents are the task's.  Task PROBE.
 */
const struct call_head *task_monitor_calls(const struct task *t);
const struct call_row *task_monitor_call_row(const struct task *t, uint32_t number);

/* The profile that a task asked for (kernel/monitor/profil.c), and what became of its ticks. */

/* In struct task.  All zero: it has none.  Interrupts off, and in a tick that is an NMI. */
struct task_profil {
    struct profil_request of; /* scale 0: no profile */
    uint64_t waiting;  /* address of the counter that a trap is to increment; 0: none */
    uint64_t ticks;    /* in the kernel, since the boot */
    /* since the window began */
    uint64_t direct;   /* counted by the tick itself */
    uint64_t trapped;  /* counted by a trap, which the tick has deferred */
    uint64_t touched;  /* pages that were first touched by these */
    uint64_t calls;    /* in the kernel, counted at the exit of a system call for its caller */
    uint64_t calls_touched; /* pages that were first touched by these */
    uint64_t outside;  /* of addresses without a counter */
    uint64_t lost;     /* a trap was still due, or the counter was full */
    uint64_t stopped;  /* the profile ended: its buffer is no memory of the task; 0 or 1 */
};

struct task;

/*
 * Give a task that was made and not started the pages of PROFIL_AREA.  False where there is no memory.  Task context.
 */
bool task_profil_open(struct task *t);
