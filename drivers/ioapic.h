/* SPDX-License-Identifier: MIT */
/* The I/O APIC.  Intel 82093AA data sheet, 290566. */
#ifndef DRIVERS_IOAPIC_H
#define DRIVERS_IOAPIC_H

#include <stdint.h>

/*
 * Mask every entry of the I/O APIC at its usual address, if one answers there.
 * Returns the number of entries, 0 if none.  Interrupts off.
 */
unsigned ioapic_mask_all(uint64_t direct_map);

/*
 * Deliver the rising edges of a pin as NMI to the local APIC with the id `lapic`; and mask a pin.
 * `pin` is less than what ioapic_mask_all() returned.  Any context but an NMI, which could come
 * between the accesses to index and data.
 */
void ioapic_nmi(uint64_t direct_map, unsigned pin, uint32_t lapic);
void ioapic_mask(uint64_t direct_map, unsigned pin);

#endif
