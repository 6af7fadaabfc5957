/* SPDX-License-Identifier: MIT */
/*
 * monitor=intercept: interrupts by vector, by interrupt intercept (Thurner 2.2, after Keefe 1968).  The
 * gate of a vector is redirected to a stub that marks the interrupt; the common entry then runs the
 * monitor, which goes on to the real handler and gets control back where the frame returns.  Where the
 * handler's end switches tasks, the interrupt ends there.  Handlers know nothing of it.
 *
 * Not intercepted: NMIs, faults, system calls and services, and a tick with an entry of its own.
 *
 * Times are the account's: what an interrupt added to the interrupt column of the exact table, or a
 * tick to MONITOR.  The monitor's own instructions are in them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/frame.h"
#include "kernel/monitor/software_monitors.h"

/*
 * Let the monitor come between the entry stub and what it calls; `way` is where the stub finds that.
 * Once, before the first window.
 */
void intercept_init(void (**way)(struct frame *f));

/*
 * Give all gates back, and take them again: the counters stand meanwhile.
 * Nothing where the monitor is off.  Interrupts off.
 */
void intercept_pause(void);
void intercept_resume(void);

/* Interrupts of a vector so far in this window.  Interrupts off. */
uint64_t intercept_count(unsigned vector);
