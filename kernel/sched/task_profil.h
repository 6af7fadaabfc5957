/* SPDX-License-Identifier: MIT */
/* The profile that a task asked for (kernel/monitor/profil.h), and what became of its ticks. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/abi/profil.h"

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
