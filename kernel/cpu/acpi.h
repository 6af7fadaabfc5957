/* SPDX-License-Identifier: MIT */
/*
 * Tables of ACPI, and what its FADT says of the devices of the PC/AT.  The latter is for information only; nothing acts
 * on it, because firmware denies devices that exist.  ACPI specification 6.5, chapter 5.2.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ACPI_TABLE_HEAD     36u /* bytes: signature, length, revision, checksum and names */
#define ACPI_TABLE_REVISION 8u  /* offset of a byte */

#define ACPI_LEGACY_DEVICES (1u << 0)
#define ACPI_8042           (1u << 1)
#define ACPI_NO_VGA         (1u << 2)
#define ACPI_NO_CMOS_RTC    (1u << 5)

struct acpi {
    uint16_t boot_arch; /* IAPC_BOOT_ARCH of the FADT */
    uint8_t revision;   /* of the FADT; below 2 it has no such field */
};

struct acpi_table {
    const uint8_t *bytes; /* the whole table; NULL: there is none, or only such as are wrong */
    uint64_t length;
    bool wrong;           /* there is one whose checksum or length is wrong */
};

/*
 * Find the first sound table with this signature of four characters: by `rsdp` and `at` as acpi_find() does.  Every
 * search is bounded.  Any context.
 */
struct acpi_table acpi_find_table(const char *signature, uint64_t rsdp,
                                  const uint8_t *(*at)(uint64_t physical, uint64_t length));

/*
 * Find the FADT: by `rsdp`, a physical address, or, of 0, in the firmware's
 * memory below 1 MiB.  `at` makes `length` bytes of physical memory readable, NULL
 * where it cannot.  False where there is no table, or one whose checksum or length
 * is wrong.  Every search is bounded.  Any context.
 */
bool acpi_find(struct acpi *a, uint64_t rsdp, const uint8_t *(*at)(uint64_t physical, uint64_t length));
