/* SPDX-License-Identifier: MIT */
/* Resources that one task holds at a time, allocated by polling, as Crowe's deadlock has it. */
#ifndef KERNEL_SCHED_POLLED_LOCK_H
#define KERNEL_SCHED_POLLED_LOCK_H

#include <stdbool.h>
#include <stdint.h>

struct task;

#define RESOURCES 16u

/*
 * Take a resource for the running task, until it ends.  While another task holds it:
 * look again at each tick of the system clock; a look takes `units` of
 * kernel/abi/spin_loop.h.  False where there is no such resource.  Task context.
 */
bool resource_take(uint64_t number, uint64_t units);

/* What a task that ends holds is free again.  Interrupts off. */
void resource_give_up(const struct task *t);

#endif
