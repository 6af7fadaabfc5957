/* SPDX-License-Identifier: MIT */
/* The dump of an exception in the kernel, or of a machine check. */
#pragma once

#include <stdint.h>

#include "kernel/cpu/frame.h"

/*
 * Print all that is known of the exception, then leave with failure.  `address`: of a page
 * fault, the address accessed.  A second exception meanwhile prints one line; a third halts.
 * Interrupts off.
 */
_Noreturn void exception_dump(const struct frame *f, uint64_t address);
