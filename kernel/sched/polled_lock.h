/* SPDX-License-Identifier: MIT */
/* Resources that one task at a time can hold, allocated by polling, as in Crowe's deadlock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct task;

#define POLLED_LOCKS 16u

/*
 * Take a resource for the running task, until the task ends.  While another task holds
 * it, look again at each tick of the system clock; a look costs `units` of
 * kernel/abi/spin_loop.h.  False where there is no such resource.  Task context.
 */
bool polled_lock_take(uint64_t number, uint64_t units);

/* Free all resources of a task that ends.  Interrupts off. */
void polled_lock_release_all(const struct task *t);
