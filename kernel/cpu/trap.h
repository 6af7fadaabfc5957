/* SPDX-License-Identifier: MIT */
/* Vectors of our own, and the state of interrupt entry that assembly and C share. */
#ifndef KERNEL_CPU_TRAP_H
#define KERNEL_CPU_TRAP_H

#include <stdint.h>

/* The PIT's, through the first 8259. */
#define TICK_VECTOR  0x30

/* A vector that only software raises: an empty handler, to be measured. */
#define EMPTY_VECTOR 0x51

/* Likewise, while kernel/tick/entry_cost.c measures: a tick that only leaves, and how its programs come back. */
#define TICK_EXIT_VECTOR 0x52
#define STAGE_RETURN_VECTOR   0x53

/*
 * 1 while a device or clock handler runs: set in its first instruction, put back in
 * the last before its IRETQ to what it found (1, where it interrupted another), or
 * cleared where it ends in a change of task.  So it tells the NMI which mode ring 0
 * is in.
 */
extern volatile uint64_t in_interrupt;

/*
 * HLT where *word is 0, interrupts on meanwhile; an NMI that sets it ends that even where it comes between the test
 * and the HLT (kernel/source/nmi.c).  Interrupts off.
 */
void halt_until(const volatile uint64_t *word); /* kernel/cpu/vectors.asm */

#endif
