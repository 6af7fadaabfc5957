/* SPDX-License-Identifier: MIT */
/* Calls to services of the BIOS from the disk's loader; boot/disk/start.asm implements them. */
#pragma once

#include <stdint.h>

#define BIOS_CARRY (1u << 0) /* of the flags */

struct bios_registers { /* boot/disk/start.asm has the same layout */
    uint32_t eax, ebx, ecx, edx, esi, edi, flags;
};

/* Registers for the next service, and results of the last one; ESI and EDI are not returned. */
extern struct bios_registers bios_registers;

/* Execute `int vector` in real mode, DS = ES = 0: its data must be below 64 KiB. */
void bios_call(uint32_t vector);
