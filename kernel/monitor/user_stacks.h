/* SPDX-License-Identifier: MIT */
/*
 * stack=N: samples in user mode counted by their call stacks, the interrupted address and at most N return addresses.
 * Frame pointers are followed at the tick, through pages that are mapped for the task, so that nothing faults
 * (probe/core/frame_walk.h).  A function that has not made its frame yet, or has left it, is seen by the instruction
 * that was interrupted.  The walk is made at the end of the tick, when the next one is armed, and its time is MONITOR's.
 */
#pragma once

#include <stdint.h>

#include "kernel/cpu/frame.h"
#include "kernel/monitor/software_monitors.h"
#include "probe/core/call_stacks.h"
#include "probe/core/frame_walk.h"

/* As they were closed, cumulative since the window began. */
struct user_stacks_window {
    uint64_t begin, end; /* TSC */
    uint64_t ends[WALK_ENDS]; /* samples by how their walk ended; their sum is all samples of tasks in user mode, in time */
    uint64_t lost;       /* of these: samples whose stack found no record */
    uint32_t used;       /* stacks */
    uint64_t count[CALL_STACKS_MOST]; /* samples of each */
};

/* The tick of IRQ 0 while stack= is on, as kernel/cpu/vectors.asm calls it.  Interrupt context. */
void user_stacks_tick(const struct cpu_frame *f, uint64_t now);

/* The last one.  Task PROBE. */
const struct user_stacks_window *user_stacks_closed(void);

/* The stack number `i`, below `used`: it never changes within a window.  Task PROBE. */
const struct call_stack_key *user_stacks_key(uint32_t i);
