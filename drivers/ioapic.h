/* SPDX-License-Identifier: MIT */
/* The I/O APIC.  Intel 82093AA data sheet, 290566. */
#pragma once

#include <stdint.h>

/*
 * Mask every entry of the I/O APIC at the usual address.  Returns the number of entries; 0 if there
 * is no I/O APIC.  Interrupts off.
 */
unsigned ioapic_mask_all(uint64_t direct_map);

/*
 * The first two deliver the rising edges of a pin to the local APIC with the id `lapic`, as NMI or at a
 * vector; the third masks a pin, which forgets the edges that come meanwhile.  `pin` is below the result of ioapic_mask_all().  Any context except an NMI,
 * which could come between the accesses to the index and the data register.
 */
void ioapic_nmi(uint64_t direct_map, unsigned pin, uint32_t lapic);
void ioapic_vector(uint64_t direct_map, unsigned pin, uint32_t lapic, uint8_t vector);
void ioapic_mask(uint64_t direct_map, unsigned pin);
