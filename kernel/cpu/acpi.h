/* SPDX-License-Identifier: MIT */
/*
 * What ACPI's FADT says of the devices of the PC/AT.  For information only; nothing acts on it,
 * because firmware denies devices that exist.  ACPI specification 6.5, chapter 5.2.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ACPI_LEGACY_DEVICES (1u << 0)
#define ACPI_8042           (1u << 1)
#define ACPI_NO_VGA         (1u << 2)
#define ACPI_NO_CMOS_RTC    (1u << 5)

struct acpi {
    uint16_t boot_arch; /* IAPC_BOOT_ARCH of the FADT */
    uint8_t revision;   /* of the FADT; below 2 it has no such field */
    uint16_t pm_timer;  /* port of the PM timer; 0: the FADT names none */
    bool pm_timer_32;   /* it has 32 bits, else 24 */
};

/*
 * Find the FADT: by `rsdp`, a physical address, or, of 0, in the firmware's
 * memory below 1 MiB.  `at` makes `length` bytes of physical memory readable, NULL
 * where it cannot.  False where there is no table, or one whose checksum or length
 * is wrong.  Every search is bounded.  Any context.
 */
bool acpi_find(struct acpi *a, uint64_t rsdp, const uint8_t *(*at)(uint64_t physical, uint64_t length));

#define ACPI_TABLES 32u /* that are listed at most */

/* The signatures of the tables, and whose they are; printable. */
struct acpi_list {
    char oem[7];
    char signature[ACPI_TABLES][5];
    unsigned tables;
};

/* List them: all to which the root table points and whose checksums are right.  As acpi_find(). */
bool acpi_list(struct acpi_list *l, uint64_t rsdp, const uint8_t *(*at)(uint64_t physical, uint64_t length));
