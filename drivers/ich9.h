/* SPDX-License-Identifier: MIT */
/* The SMIs of Intel's ICH9 south bridge that software raises: the chipset of QEMU's q35. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "drivers/pci.h"

/*
 * Enable SMIs by a write to port 0xb2.  Returns NULL, or the reason why that is impossible: a
 * message without a full stop.  Does nothing where firmware has enabled these SMIs.  Task context,
 * interrupts off.
 */
const char *ich9_smi_enable(void);

/* Raise an SMI: the next instruction runs after its handler has returned.  Any context. */
void ich9_smi_raise(void);

/*
 * The watchdog of Intel's south bridges, TCO: two time-outs in a row reset the machine.  ICH6 to the 9 series of
 * the PCH, which have it behind the same registers; Intel ICH9 data sheet, 316972, 10.1.75, 13.1 and 13.9.
 */

#define TCO_TENTHS 6 /* of a second, a count */

struct tco {
    uint16_t ports;
    uint32_t reload; /* counts of a time-out */
    bool halted, resets, locked;
};

/*
 * Look for it, and read how it is set.  False: there is no such chipset, or its ports are not open.  `direct_map`
 * is where physical address 0 is mapped.  Nothing is written.  Task context, interrupts off.
 */
bool tco_find(struct tco *t, uint64_t direct_map);

/* Counts until its next time-out: one that never changes has not been started.  Any context. */
uint32_t tco_count(const struct tco *t);

/* Halt it; false where it goes on all the same, as firmware can lock it.  Any context. */
bool tco_halt(const struct tco *t);

/*
 * The LPC bridge of Intel's south bridges: where its power management ports are.  Intel ICH9 data sheet, 316972,
 * 13.1.
 */

#define LPC_BRIDGE      PCI_FUNCTION(0, 31, 0)
#define LPC_PMBASE      0x40        /* register: ports of power management */
#define LPC_PMBASE_MASK 0xff80u
#define LPC_ACPI_CNTL   0x44        /* register */
#define LPC_ACPI_ENABLE (1u << 7)   /* PMBASE is decoded */
