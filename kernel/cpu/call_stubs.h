/* SPDX-License-Identifier: MIT */
/*
 * The stubs of system calls and services (kernel/cpu/call_stubs.inc) have six variants, so that a
 * call pays for nothing that is off: with the log of changes of cell or without
 * (kernel/account/exact_time.h); with events (kernel/trace/trace.h), without, or counted.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum call_events { CALL_EVENTS_OFF, CALL_EVENTS_TAKEN, CALL_EVENTS_COUNTED };

/* Have calls from now on enter these variants, by what is done with events of each kind.  Interrupts off. */
void call_stubs_set(bool logged, enum call_events of_syscalls, enum call_events of_services);

/*
 * Have the calls that a task is in leave by the variant in force: the tops of its stacks at ring 0
 * and ring 1, both mapped.  Not for the running task.  Interrupts off.
 */
void call_stubs_redirect(uint64_t stack0, uint64_t stack1);
