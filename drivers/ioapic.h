/* SPDX-License-Identifier: MIT */
/* The I/O APIC.  Intel 82093AA data sheet, 290566. */
#pragma once

#include <stdint.h>

#define IOAPIC_ADDRESS 0xfec00000u /* the usual one, physical */

/*
 * Mask every entry of the I/O APIC at the usual address.  Returns the number of entries; 0 if there
 * is no I/O APIC.  Interrupts off.
 */
unsigned ioapic_mask_all(uint64_t direct_map);

/*
 * The first delivers the rising edges of a pin as NMI to the local APIC with the id `lapic`; the
 * second masks a pin.  `pin` is below the result of ioapic_mask_all().  Any context except an NMI,
 * which could come between the accesses to the index and the data register.
 */
void ioapic_nmi(uint64_t direct_map, unsigned pin, uint32_t lapic);
void ioapic_mask(uint64_t direct_map, unsigned pin);

/*
 * The same for an I/O APIC whose registers are mapped at `base`: the first masks every input and returns their
 * number, 0 where none answers, and memory there is as it was; the second delivers rising edges by `how`, a vector or
 * delivery mode 4 (0x400, NMI).
 */
unsigned ioapic_mask_inputs(uint64_t base);
void ioapic_open_input(uint64_t base, unsigned input, uint32_t lapic, uint32_t how);
void ioapic_mask_input(uint64_t base, unsigned input);
