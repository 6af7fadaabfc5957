/* SPDX-License-Identifier: MIT */
/* Exceptions: a task that does wrong ends alone; the kernel's own end the image. */
#ifndef KERNEL_FAULT_H
#define KERNEL_FAULT_H

#include "kernel/frame.h"

/* Any exception vector, 0 .. 31.  Does not return for a fault; interrupts off. */
void fault_exception(struct frame *f);

#endif
