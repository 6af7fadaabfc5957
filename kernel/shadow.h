/* SPDX-License-Identifier: MIT */
/*
 * A path through the kernel of which a tenth runs with interrupts off, in
 * functions whose shares are known: what a tick that interrupts shall see.
 */
#ifndef KERNEL_SHADOW_H
#define KERNEL_SHADOW_H

#include <stdint.h>

#define SHADOW_MASKED_PART 10 /* one part of so many has interrupts off */

/* Go the path once; all of it takes about `units` of kernel/spin.h.  Task context. */
void shadow_path(uint64_t units);

#endif
