/* SPDX-License-Identifier: MIT */
/*
 * Tables of ACPI by their signatures, and what the FADT says of the devices of the PC/AT and of the power management
 * timer.  Its word on the devices of the PC/AT is for information only: firmware denies devices that exist.
 * ACPI specification 6.5, chapter 5.2.
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

#define ACPI_GAS  12u /* bytes of a generic address structure */

struct acpi_address { /* of registers: ports, or memory below 4 GiB */
    uint32_t address; /* 0: none */
    bool is_port;
};

struct acpi {
    uint16_t boot_arch; /* IAPC_BOOT_ARCH of the FADT */
    uint8_t revision;   /* of the FADT; below 2 it has no such field */
    uint8_t pm_timer_bits; /* 24 or 32 */
    struct acpi_address pm_timer; /* of the counter of 3.579545 MHz */
};

struct acpi_table {
    const uint8_t *bytes; /* the whole table; NULL: there is none, or only such as are wrong */
    uint64_t length;
    bool wrong;           /* there is one whose checksum or length is wrong */
};

/*
 * Find the first sound table with this signature of four characters: from `rsdp`, a physical address, or, of 0, from
 * what is in the firmware's memory below 1 MiB.  `at` makes `length` bytes of physical memory readable, NULL where it
 * cannot.  A table has 36 .. 65536 bytes.  Every search is bounded.  Any context.
 */
struct acpi_table acpi_find_table(const char *signature, uint64_t rsdp,
                                  const uint8_t *(*at)(uint64_t physical, uint64_t length));

/* Find and read the FADT, by acpi_find_table().  False where there is none that is right.  Any context. */
bool acpi_find(struct acpi *a, uint64_t rsdp, const uint8_t *(*at)(uint64_t physical, uint64_t length));

/*
 * Read a generic address structure of registers of so many bytes.  False where it is neither of ports nor of memory
 * below 4 GiB, begins within a register, or is 0.  Any context.
 */
bool acpi_address(struct acpi_address *a, const uint8_t *gas, unsigned bytes);

/* A number of 1 .. 8 bytes, the least significant one first, as tables have them.  Any context. */
static inline uint64_t acpi_number(const uint8_t *at, unsigned bytes)
{
    uint64_t n = 0;

    while (bytes-- > 0)
        n = n << 8 | at[bytes];
    return n;
}

/* Whether the bytes add up to zero, as those of a sound table do.  Any context. */
static inline bool acpi_checksum_ok(const uint8_t *at, uint64_t length)
{
    uint8_t sum = 0;

    for (uint64_t i = 0; i < length; i++)
        sum = (uint8_t)(sum + at[i]);
    return sum == 0;
}

/* Whether this text begins there.  Any context. */
static inline bool acpi_has_signature(const uint8_t *at, const char *signature)
{
    for (; *signature != '\0'; signature++)
        if (*at++ != (uint8_t)*signature)
            return false;
    return true;
}

#define ACPI_TABLES 32u /* that are listed at most */

/* The signatures of the tables, and whose they are; printable. */
struct acpi_list {
    char oem[7];
    char signature[ACPI_TABLES][5];
    unsigned tables;
};

/* List them: all to which the root table points and whose checksums are right.  As acpi_find(). */
bool acpi_list(struct acpi_list *l, uint64_t rsdp, const uint8_t *(*at)(uint64_t physical, uint64_t length));
