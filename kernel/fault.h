/* SPDX-License-Identifier: MIT */
/* Exceptions: a task that does wrong ends alone; the kernel's own end the image. */
#ifndef KERNEL_FAULT_H
#define KERNEL_FAULT_H

#include <stdint.h>

#include "kernel/frame.h"

/* Any exception vector, 0 .. 31.  Does not return for a fault; interrupts off. */
void fault_exception(struct frame *f);

/* The cause in words, e.g. "page fault"; never NULL. */
const char *fault_name(uint32_t vector);

#endif
