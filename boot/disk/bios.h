/* SPDX-License-Identifier: MIT */
/* Services of the BIOS for the disk's loader.  boot/disk/start.asm does it. */
#ifndef BOOT_DISK_BIOS_H
#define BOOT_DISK_BIOS_H

#include <stdint.h>

#define BIOS_CARRY (1u << 0) /* of the flags */

struct bios_registers { /* boot/disk/start.asm knows it */
    uint32_t eax, ebx, ecx, edx, esi, edi, flags;
};

/* What the next service gets, and what the last returned; ESI and EDI only in. */
extern struct bios_registers bios_registers;

/* `int vector` in real mode, DS = ES = 0: what it is to find lies below 64 KiB. */
void bios_call(uint32_t vector);

#endif
