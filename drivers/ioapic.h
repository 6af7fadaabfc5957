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
 * The first delivers the rising edges of a pin as NMI to the local APIC with the id `lapic`; the
 * second masks a pin.  `pin` is below the result of ioapic_mask_all().  Any context except an NMI,
 * which could come between the accesses to the index and the data register.
 */
void ioapic_nmi(uint64_t direct_map, unsigned pin, uint32_t lapic);
void ioapic_mask(uint64_t direct_map, unsigned pin);
