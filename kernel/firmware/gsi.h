/* SPDX-License-Identifier: MIT */
/*
 * Global system interrupts: the inputs of all I/O APICs, by ACPI's numbers.  Where the MADT tells no
 * I/O APIC there is the one at the usual address, if it answers, and its inputs begin at 0.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define GSI_NMI 0x400u /* for `how`: as NMI; else a vector, 16 .. 254 */

/* Find the I/O APICs and mask each input.  Interrupts off; once, after firmware_tables_read(). */
void gsi_init(void);

/* I/O APICs that answer, those of the MADT that do not, and the inputs of all.  After gsi_init(), any context. */
unsigned gsi_controllers(void);
unsigned gsi_silent(void);
unsigned gsi_inputs(void);

/*
 * Deliver the rising edges of an interrupt to this CPU, or mask it.  False: no I/O APIC has it, or this CPU's local
 * APIC has an id that no entry has room for.
 * Any context except an NMI, which could come between the accesses to index and data.
 */
bool gsi_open(uint32_t gsi, uint32_t how);
bool gsi_mask(uint32_t gsi);

/* Where an interrupt of the ISA bus, 0 .. 15, ends: by the MADT, or as the usual wiring has it (IRQ 0 at input 2). */
uint32_t gsi_of_irq(unsigned irq);
