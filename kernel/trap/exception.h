/* SPDX-License-Identifier: MIT */
/* Exceptions: a task that does wrong ends alone; the kernel's own and the machine's end the image. */
#ifndef KERNEL_TRAP_EXCEPTION_H
#define KERNEL_TRAP_EXCEPTION_H

#include "kernel/cpu/frame.h"

/* Any exception vector, 0 .. 31.  Does not return for a fault; interrupts off. */
void exception_handle(struct frame *f);

#endif
