/* SPDX-License-Identifier: MIT */
/* The local APIC: virtual wire, timer, end of interrupt.  Intel SDM 3A, chapter 11. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define LAPIC_TIMER_VECTOR    0x50
#define LAPIC_SPURIOUS_VECTOR 0xff

/* True if the CPU has a local APIC (CPUID). */
bool lapic_present(void);

/* True if the CPU says that its timer can interrupt at a value of the TSC.  Any context. */
bool lapic_has_deadline(void);

/*
 * Initialise the local APIC from any state: x2APIC mode off, software-enabled, every local vector
 * masked except LINT0 as ExtINT (the 8259) and LINT1 as NMI, nothing in service.  `direct_map` is
 * where physical address 0 is mapped.  Where firmware has locked it in x2APIC mode it stays there, and its registers
 * are MSRs (SDM 3A, 11.12.1 and "Legacy xAPIC disable status").  False: it cannot be enabled, and is not used; where
 * firmware left it disabled, or in x2APIC mode, which is left by way of disabled, old processors (SDM 3A, 11.4.3) and
 * Bochs enable it no more.  Interrupts off.
 */
bool lapic_init(uint64_t direct_map);

/*
 * Send INIT to all other processors, which then wait for a start-up that never comes: firmware leaves them in a
 * loop, in memory that is ours now.  In xAPIC and x2APIC mode, before lapic_init() too.  False where it was not
 * sent, or not delivered within some tenths of a second: the APIC is switched off, or this processor is not the one
 * that firmware started, so that INIT would start the firmware on that one.  `direct_map` as for lapic_init().
 * Interrupts off.
 */
bool lapic_init_others(uint64_t direct_map);

/* Whether lapic_init() has enabled it, which the functions below require.  Any context. */
bool lapic_in_use(void);

/* Whether it is used in x2APIC mode.  Any context. */
bool lapic_in_x2apic_mode(void);

/*
 * Send an EOI for each interrupt in service: firmware has not ended it, and it would block others.
 * Returns true if no interrupt is pending.  Interrupts off.
 */
bool lapic_eoi_all(void);

/* What the timer interrupts by, at LAPIC_TIMER_VECTOR; off: it is masked, and its counter counts all the same. */
enum lapic_timer { LAPIC_TIMER_OFF, LAPIC_TIMER_COUNT, LAPIC_TIMER_DEADLINE };

/* Deadline: only where lapic_has_deadline().  To or from it disarms.  Interrupts off. */
void lapic_timer_use(enum lapic_timer how);

/* Begin a one-shot of `count` timer clocks, 1 .. 2^32-1; 0 ends it.  Not by deadline.  Interrupts off. */
void lapic_timer_arm(uint32_t count);

/* Timer clocks until the one-shot ends. Interrupts off. */
uint32_t lapic_timer_count(void);

/*
 * The same by deadline: interrupt when the TSC reaches `deadline`, at once where it has; 0 ends it.  The second is 0
 * once the interrupt was requested.  No access of memory.  Interrupts off.
 */
void lapic_deadline_arm(uint64_t deadline);
uint64_t lapic_deadline(void);

/*
 * A register that any number of reads leaves as it is, for measuring what one costs: where it is mapped, NULL in
 * x2APIC mode; and its MSR in that mode.  Any context.
 */
const volatile uint32_t *lapic_harmless(void);
uint32_t lapic_harmless_msr(void);

/*
 * The id of the local APIC, 0 .. 255, in x2APIC mode 0 .. 2^32-1: the destination in an I/O APIC entry.  Any context.
 */
uint32_t lapic_id(void);

/*
 * Whether that is an id which an entry of an I/O APIC or a message of a device has room for: those have eight bits,
 * and 255 is no processor's own.  Any context.
 */
bool lapic_takes_messages(void);

/* Have this CPU interrupted at `vector` as soon as it takes interrupts.  Any context, one at a time. */
void lapic_interrupt_self(uint8_t vector);

/* End of interrupt. Interrupt context. */
void lapic_eoi(void);
