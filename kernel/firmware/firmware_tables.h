/* SPDX-License-Identifier: MIT */
/* What firmware's tables say of clocks and of interrupt controllers, read once at the start. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "drivers/pm_timer.h"
#include "kernel/firmware/acpi.h"
#include "kernel/firmware/madt.h"

struct firmware_tables {
    bool has_fadt;         /* then `fadt` is its */
    struct acpi fadt;
    struct madt madt;
    uint32_t hpet;         /* physical address that the table HPET tells; 0: it tells none that can be true */
};

/*
 * Device registers are mapped uncached from here to 4 GiB: a table that tells another address of registers is not
 * believed.  I/O APICs are elsewhere too on boards with several bridges of PCI.
 */
#define REGISTERS_FROM 0xfe000000u

/*
 * Read them, from the root pointer `rsdp` or, of 0, from one that is found.  `open_registers` maps so many bytes of
 * registers below REGISTERS_FROM uncached; false where no device can be.  Once, memory below 4 GiB mapped.
 */
void firmware_tables_read(uint64_t rsdp, bool (*open_registers)(uint64_t physical, uint64_t bytes));

/* What was read; before that nothing.  Any context. */
const struct firmware_tables *firmware_tables(void);

/* The power management timer that the FADT tells, where its registers can be.  Any context. */
bool firmware_pm_timer(struct pm_timer *t);
