/* SPDX-License-Identifier: MIT */
/* The end of a process by a call of its own. */
#pragma once

#include "kernel/process/process.h"

enum linux_signal { LINUX_SIGABRT = 6, LINUX_SIGSEGV = 11, LINUX_SIGNALS = 64 };

/*
 * Its status, 0 to 255; or a signal that it sent itself, from 1 on: the status is 128 more, as a shell has it.
 * Task context.
 */
_Noreturn void linux_end(struct process *p, int32_t status);
_Noreturn void linux_end_by_signal(struct process *p, uint32_t signal);
