/* SPDX-License-Identifier: MIT */
/*
 * Tasks that wait for a device.  A request outlives a task that is ended while it waits: the device
 * serves it, and nobody is woken.
 */
#pragma once

#include <stdint.h>

#include "kernel/sched/task.h"

/* The running task waits for request `number` of a device, not 0, from now on.  Interrupts off. */
void io_wait_begin(uint64_t number);

/* Sleep until it is done: at once where it is already.  Task context, interrupts on. */
void io_wait(void);

/* The request is done, after `took` clock units: wake the task if it still waits for it.  Interrupts off. */
void io_wait_end(struct task *t, uint64_t number, uint64_t took);

/* The task ends, whatever it waited for.  Interrupts off. */
void io_wait_cancel(struct task *t);
