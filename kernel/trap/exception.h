/* SPDX-License-Identifier: MIT */
/* Exceptions: one in ring 1 or 3 ends the task; one in ring 0, a double fault or a machine check ends the image. */
#pragma once

#include "kernel/cpu/frame.h"

/*
 * Any exception vector, 0 .. 31.  Returns for an NMI only.  Cold: not a part of the entry of interrupts.
 * Interrupts off.
 */
__attribute__((cold)) void exception_handle(struct frame *f);

/*
 * Clear "machine check in progress": where firmware left that bit set, the next machine check
 * would shut the processor down without a message.  The banks stay as firmware has enabled
 * them: it knows the errata of its chip.  Once, after CPUID was read.
 */
void machine_check_init(void);
