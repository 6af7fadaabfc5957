/* SPDX-License-Identifier: MIT */
/* The last words of an image whose kernel did wrong, or whose machine failed. */
#ifndef KERNEL_TRAP_EXCEPTION_DUMP_H
#define KERNEL_TRAP_EXCEPTION_DUMP_H

#include <stdint.h>

#include "kernel/cpu/frame.h"

/*
 * Say all that is known of an exception that no task is to answer for, then leave with failure.
 * `address`: what it touched, for a page fault.  A fault in here says one more
 * sentence, a third nothing.  Interrupts off.
 */
_Noreturn void exception_dump(const struct frame *f, uint64_t address);

#endif
