/* SPDX-License-Identifier: MIT */
/*
 * Which handler each interrupt vector has.  A driver, the system clock and the tick source
 * in force register theirs; kernel/trap/dispatch.c calls them and knows no device.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/frame.h"

/*
 * The interrupt of a device, `now` the clock at its entry.  It sends the end of interrupt.
 * Its time is the interrupted task's, in mode interrupt.  False: the device did not ask for
 * it, or nobody did.  Interrupt context.
 */
typedef bool irq_handler(uint64_t now);

/* The interrupt of a tick source: it does its own accounting.  Interrupt context. */
typedef void irq_tick_handler(const struct cpu_frame *f, uint64_t now);

struct irq {
    irq_tick_handler *tick; /* called first */
    bool tick_shared;       /* `handler` is called after it */
    irq_handler *handler;
};
extern struct irq irqs[256]; /* by vector; changed with interrupts off */

/* Set the handler of a vector; NULL: it has none.  Interrupts off. */
void irq_register(unsigned vector, irq_handler *handler);
void irq_register_tick(unsigned vector, irq_tick_handler *tick, bool shared);

/*
 * Call this too, before `tick`, at each interrupt of a vector whose tick is shared or that has none; NULL: nothing.
 * The frame that it gets is part of a whole one (frame_whole() in kernel/cpu/frame.h).  One at a time.
 * Interrupts off.
 */
void irq_watch(unsigned vector, irq_tick_handler *look);

/* Call the handler of a vector; without one, count the interrupt and end it.  Interrupt context. */
void irq_handle(unsigned vector, uint64_t now);

struct irq_counts {
    uint64_t spurious[3]; /* requests that vanished: IRQ 7, IRQ 15, the local APIC's */
    uint64_t unexpected;  /* vectors without a handler, and interrupts that a handler did not ask for */
};

/* Whether requests that vanish from the 8259s are our own doing now, and not counted.  Interrupts off. */
void irq_ignore_spurious(bool ignore);

/* Copy the counts out.  Any context. */
void irq_read_counts(struct irq_counts *to);

/* Vectors of our own, and the state of interrupt entry that assembly and C share. */

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
