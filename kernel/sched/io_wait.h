/* SPDX-License-Identifier: MIT */
/*
 * Tasks that wait for a device.  A request outlives a task that is ended while it waits: the device
 * serves it, and nobody is woken.
 */
#pragma once

#include <stdbool.h>
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

/* Resources that one task at a time can hold, allocated by polling, as in Crowe's deadlock. */

#define POLLED_LOCKS 16u

/*
 * Take a resource for the running task, until the task ends.  While another task holds
 * it, look again at each tick of the system clock; a look costs `units` of
 * kernel/abi/spin_loop.h.  False where there is no such resource.  Task context.
 */
bool polled_lock_take(uint64_t number, uint64_t units);

/* Free all resources of a task that ends.  Interrupts off. */
void polled_lock_release_all(const struct task *t);
