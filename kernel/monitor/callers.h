/* SPDX-License-Identifier: MIT */
/*
 * monitor=callers: time in the kernel charged to the user instruction that called, in three ways side by
 * side (McCanne and Torek, "Code Profiling"), and its truth:
 *   by samples: a tick that finds the kernel counts for the address that the call will return to;
 *   by the tick difference at the exit of the call, as in 4.4BSD: kernel ticks of the task since its entry;
 *   by the time difference at the exit, as before that: the task's system time since its entry, to which
 *   interrupts were charged too.
 * The truth is the account's time of the task in kernel mode, from the gate to the end of the return.
 */
#pragma once

#include <stdint.h>

#include "kernel/monitor/software_monitors.h"
#include "probe/core/call_stacks.h"

/* The head of CALL_STACKS as the window was closed, but for epoch and serial.  Task PROBE. */
struct wire_call_stacks callers_head(void);

/* Put a row whose id, mode and addresses are those of `key` (frame_tx_row()).  Task PROBE. */
void callers_put(const struct call_stack_key *key, struct wire_call_stacks_row *row);
