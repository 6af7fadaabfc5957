/* SPDX-License-Identifier: MIT */
/*
 * stack=N: samples in user mode counted by their call stacks, the interrupted address and at most N return addresses.
 * Frame pointers are followed at the tick, through pages that are mapped for the task, so that nothing faults
 * (probe/core/call_stacks.h).  A function that has not made its frame yet, or has left it, is seen by the instruction
 * that was interrupted.  The walk is made at the end of the tick, when the next one is armed,
 * and its time is MONITOR's.
 */
#pragma once

#include <stdint.h>

#include "kernel/cpu/frame.h"
#include "kernel/monitor/software_monitors.h"

/* The tick of IRQ 0 while stack= is on, as kernel/cpu/vectors.asm calls it.  Interrupt context. */
void user_stacks_tick(const struct cpu_frame *f, uint64_t now);
