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

/*
 * As they were closed, cumulative since the window began.  A stack that was counted by a tick is in
 * `sampled`, one of a call that has returned in `returned`: its calls, `ticks` and `time` by the two
 * differences, `unmasked` and `masked` kernel time by the account.
 */
struct callers_window {
    uint64_t begin, end;    /* TSC */
    uint64_t outside;       /* samples in the kernel, on no way from a system call or a service */
    struct call_stacks sampled, returned;
};

/* The last one.  Task PROBE. */
struct callers_window *callers_closed(void);
