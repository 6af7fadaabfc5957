/* SPDX-License-Identifier: MIT */
/* The local APIC: virtual wire, timer, end of interrupt.  Intel SDM 3A, chapter 11. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define LAPIC_TIMER_VECTOR    0x50
#define LAPIC_SPURIOUS_VECTOR 0xff

/* True if the CPU has a local APIC (CPUID). */
bool lapic_present(void);

/*
 * True if firmware has locked it in x2APIC mode, which lapic_init cannot leave
 * (Intel SDM 3A, "Legacy xAPIC disable status").
 */
bool lapic_locked(void);

/*
 * Initialise the local APIC from any state: x2APIC mode off, software-enabled, every local vector
 * masked except LINT0 as ExtINT (the 8259) and LINT1 as NMI, nothing in service.  `direct_map` is
 * where physical address 0 is mapped.  False: it cannot be enabled, and is not used; where firmware left it disabled,
 * or in x2APIC mode, which is left by way of disabled, old processors (SDM 3A, 11.4.3) and Bochs enable it no more.
 * Interrupts off.
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

/*
 * Send an EOI for each interrupt in service: firmware has not ended it, and it would block others.
 * Returns true if no interrupt is pending.  Interrupts off.
 */
bool lapic_eoi_all(void);

/* Begin a one-shot of `count` timer clocks, 1 .. 2^32-1. Interrupts off. */
void lapic_timer_arm(uint32_t count);

/* Timer clocks until the one-shot ends. Interrupts off. */
uint32_t lapic_timer_count(void);

/* Let the timer interrupt at LAPIC_TIMER_VECTOR, or mask it. */
void lapic_timer_enable(bool on);

/* Where a register is mapped that any number of accesses leaves as it is: for measuring what one costs.  Any context. */
const volatile uint32_t *lapic_harmless(void);

/* The id of the local APIC, 0 .. 255: the destination in an I/O APIC entry.  Any context. */
uint32_t lapic_id(void);

/* Have this CPU interrupted at `vector` as soon as it takes interrupts.  Any context, one at a time. */
void lapic_interrupt_self(uint8_t vector);

/* End of interrupt. Interrupt context. */
void lapic_eoi(void);
