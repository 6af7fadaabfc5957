/* SPDX-License-Identifier: MIT */
/*
 * Who made the firmware, as SMBIOS says below 1 MiB, where a BIOS puts it.  For information only; nothing acts on it.
 * SMBIOS Reference Specification 3.7 (DMTF DSP0134), 5.2 and 7.1.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SMBIOS_TEXT 32u /* bytes of a text, its end included; longer ones are cut */

struct smbios { /* printable; a text that is not told is empty */
    char vendor[SMBIOS_TEXT], version[SMBIOS_TEXT], date[SMBIOS_TEXT];
};

/*
 * Find structure 0 (BIOS information).  `at` makes `length` bytes of physical memory readable, NULL where it cannot.
 * False where there is none, or a checksum or length is wrong.  Every search is bounded.  Any context.
 */
bool smbios_find(struct smbios *s, const uint8_t *(*at)(uint64_t physical, uint64_t length));
