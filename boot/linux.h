/* SPDX-License-Identifier: MIT */
/*
 * What a loader of Linux leaves, the "zero page": the fields that are used.  The Linux/x86 Boot Protocol 2.15,
 * sections "The Real-Mode Kernel Header" and "The zero page".
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define LINUX_WORDS      2048 /* longest command line that is looked at, its end included */

#define LINUX_VIDEO_TEXT 0x01 /* a VGA in text mode, as loaders write it */
#define LINUX_VIDEO_VGAC 0x22 /* the same, as Linux writes it */
#define LINUX_E820_MOST  128
#define LINUX_E820_FREE  1

struct linux_region {
    uint64_t base, length;
    uint32_t type;
} __attribute__((packed));

struct linux_parameters {
    uint8_t screen_a[0x0f], video;
    uint8_t a[0x70 - 0x10];
    uint64_t rsdp;
    uint8_t b[0xc0 - 0x78];
    uint32_t initrd_high, initrd_size_high, line_high;
    uint8_t c[0x1e8 - 0xcc], regions;
    uint8_t d[0x218 - 0x1e9];
    uint32_t initrd, initrd_size;
    uint8_t e[0x228 - 0x220];
    uint32_t line;
    uint8_t f[0x2d0 - 0x22c];
    struct linux_region region[LINUX_E820_MOST];
} __attribute__((packed));

_Static_assert(offsetof(struct linux_parameters, rsdp) == 0x70, "as the protocol draws it");
_Static_assert(offsetof(struct linux_parameters, line_high) == 0xc8, "as the protocol draws it");
_Static_assert(offsetof(struct linux_parameters, initrd) == 0x218, "as the protocol draws it");
_Static_assert(offsetof(struct linux_parameters, region) == 0x2d0, "as the protocol draws it");
