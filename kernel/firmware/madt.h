/* SPDX-License-Identifier: MIT */
/*
 * ACPI's table of interrupt controllers (MADT): the I/O APICs, where the interrupts of the PC/AT end, and what comes
 * as NMI.  ACPI specification 6.5, 5.2.12.  Firmware wrote it: what cannot be true is left out and counted.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define MADT_IOAPICS  64u /* a server has one for each bridge of PCI */
#define MADT_ISA_IRQS 16u
#define MADT_NMIS      8u

struct madt_ioapic {
    uint32_t address; /* physical */
    uint32_t first;   /* the global system interrupt of its input 0 */
    uint8_t id;
};

struct madt_line { /* where an interrupt of the ISA bus ends */
    uint32_t gsi;
    bool overridden, active_low, level;
};

struct madt_nmi { /* an input of an I/O APIC that is to come as NMI */
    uint32_t gsi;
    bool active_low, level;
};

struct madt {
    bool found;              /* there is a table, and its checksum is right */
    bool has_8259;           /* PCAT_COMPAT */
    unsigned processors;     /* enabled, by local APIC or x2APIC */
    unsigned ioapics, nmis;
    struct madt_ioapic ioapic[MADT_IOAPICS];
    struct madt_line isa[MADT_ISA_IRQS]; /* by IRQ; without a word on it IRQ n ends at n */
    struct madt_nmi nmi[MADT_NMIS];
    uint8_t local_nmis;      /* bit n: a local APIC's LINTn is an NMI */
    unsigned unknown;        /* entries of kinds that we need not know */
    unsigned wrong;          /* entries that cannot be true, or that there is no room for */
    bool cut;                /* an entry has no length, or ends behind the table: what follows was not read */
};

/*
 * Read a table of `length` bytes, its head of 36 included; with no table (NULL) all is as if it said nothing.
 * Any context.
 */
void madt_read(struct madt *m, const uint8_t *table, uint64_t length);

/* The I/O APIC that has this interrupt, given how many inputs each has; NULL: none.  *input is its number there. */
const struct madt_ioapic *madt_ioapic_of(const struct madt *m, uint32_t gsi, const unsigned *inputs, unsigned *input);
