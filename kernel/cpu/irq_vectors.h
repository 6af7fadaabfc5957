/* SPDX-License-Identifier: MIT */
/* Vectors of our own, and the state of interrupt entry that assembly and C share. */
#pragma once

#include <stdint.h>

/* The PIT's, through the first 8259. */
#define TICK_VECTOR  0x30

/* Added to the vector in the frame by the stubs of intercepted vectors (kernel/monitor/intercept.h). */
#define INTERCEPTED 256

/* Raised by INT only: an interrupt whose handler does nothing, for measurements. */
#define EMPTY_VECTOR 0x51

/* Likewise, for kernel/tick/entry_cost.c: a tick that only exits, a usual one, and the return from its programs. */
#define TICK_EXIT_VECTOR    0x52
#define STAGE_RETURN_VECTOR 0x53
#define PLAIN_EXIT_VECTOR   0x56

/* Raised by the local APIC for itself: the trap of kernel/monitor/profil.c. */
#define PROFIL_VECTOR 0x54

/* The HPET's comparator, where its ticks are no NMIs (kernel/source/source_hpet.c). */
#define HPET_VECTOR 0x55

/* The RTC's through an I/O APIC (kernel/source/rtc_line.h): in a class above that of the system clock. */
#define RTC_VECTOR 0x60

/*
 * 1 while a device or clock handler runs.  The first instruction of the entry sets it; the last
 * one before IRETQ restores the value that it found (1 where it interrupted another handler),
 * and a task switch at the end of the handler clears it.  So the NMI can tell kernel mode from
 * interrupt mode.
 */
extern volatile uint64_t in_interrupt;

/*
 * HLT where *word is 0, interrupts on meanwhile; an NMI that sets it ends that even where it comes between the test
 * and the HLT (kernel/source/nmi.c).  Interrupts off.
 */
void halt_until(const volatile uint64_t *word); /* kernel/cpu/vectors.asm */
