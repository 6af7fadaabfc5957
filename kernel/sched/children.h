/* SPDX-License-Identifier: MIT */
/*
 * Tasks that a task of ring 0 makes, a few at a time, and sees to the end of: who is
 * not done within its time is ended.  All of it: the parent, task context at ring 0.
 */
#ifndef KERNEL_SCHED_CHILDREN_H
#define KERNEL_SCHED_CHILDREN_H

#include <stdbool.h>
#include <stdint.h>

struct task;

/* A place for one child; all zero: it is free. */
struct child {
    struct task *task; /* NULL: the place is free */
    uint64_t until;    /* TSC: then it is ended */
};

/* What became of those that are over. */
struct children {
    uint64_t faulted, exited, terminated; /* by a fault, by itself, by the parent */
    uint64_t calls, denied;               /* system calls and services, and those of them without a grant */
};

/* Start a task that was made, `clocks` clock units to live. */
void child_start(struct child *c, struct task *t, uint64_t clocks);

/* Whether the place is free: it was, or its task is over, which is counted; one whose time is over is ended. */
bool child_poll(struct child *c, struct children *sum);

/* Sleep until one of `count` children has ended or has had its time. */
void children_wait(const struct child *c, unsigned count);

#endif
