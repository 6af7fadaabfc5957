/* SPDX-License-Identifier: MIT */
/* Resources that one task holds at a time, allocated by polling, as Crowe's deadlock has it. */
#ifndef KERNEL_RESOURCE_H
#define KERNEL_RESOURCE_H

#include <stdbool.h>
#include <stdint.h>

#define RESOURCES 16u

/*
 * Take a resource for the running task, for ever.  While another task holds it:
 * look again at each tick of the system clock; a look takes `units` of
 * kernel/spin.h.  False where there is no such resource.  Task context.
 */
bool resource_take(uint64_t number, uint64_t units);

#endif
