/* SPDX-License-Identifier: MIT */
/* Finding a device on the PCI bus.  PCI Local Bus Specification 3.0. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define PCI_CLASS_SERIAL 0x0700 /* base class 07, subclass 00: serial controller */

/* The value of `function` below: bus, device and function number. */
#define PCI_FUNCTION(bus, device, function) ((bus) << 8 | (device) << 3 | (function))

/* Read one 32-bit register; all ones where there is no such function.  Interrupts off. */
uint32_t pci_config_read(uint32_t function, uint32_t reg);
void pci_config_write(uint32_t function, uint32_t reg, uint32_t value);

/* The first base address register of a device. */
struct pci_bar {
    uint64_t base; /* port, or physical address */
    bool memory;
};

/*
 * Bring one function to power state D0, as it was before: base addresses that the change clears are put back.
 * Then enable the decoding of its first base address.  NULL, or why that is not to be had.  Bounded: 10 ms and more.
 * Task context, interrupts off.
 */
const char *pci_open(uint32_t function, struct pci_bar *window);

/*
 * Find the first device of this class that pci_open() opens.  False if there is none.  Configuration mechanism 1, 256
 * buses.  Task context, interrupts off.
 */
bool pci_find(uint16_t class_code, struct pci_bar *window);

/* How many bus masters of each kind were on. */
struct pci_masters {
    uint32_t storage, network;
};

/*
 * Switch off bus mastering of each storage and network controller: what firmware or another system left at work there
 * would write into memory that is ours now.  Other controllers stay as they are, those of USB because firmware may
 * emulate a keyboard by them.  Configuration mechanism 1, 256 buses: some 8000 accesses.  Task context, interrupts
 * off.
 */
struct pci_masters pci_stop_masters(void);
