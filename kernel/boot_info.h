/* SPDX-License-Identifier: MIT */
/*
 * What each door tells the core: the one struct that every way into the image
 * fills before it jumps to kernel_entry64.  Physical addresses, below 4 GiB.
 */
#pragma once

#include <stdint.h>

#include "drivers/framebuffer.h"

/* Where the core sees physical memory below 4 GiB once it runs. */
#define DIRECT_BASE 0xffff800000000000ull

#define BOOT_INFO_MAGIC 0x50524f4245u
#define BOOT_WORDS      512 /* longest line of words, its end included */
#define BOOT_REGIONS    64
#define BOOT_MODULES    16
#define BOOT_MODULE_LINE 512 /* longest line of a module, its end included */

struct boot_region { /* memory that is free for the core to take */
    uint64_t base, length;
};

enum boot_module_wrong { /* why a file was not loaded */
    BOOT_MODULE_WHOLE,   /* it was */
    BOOT_MODULE_UNREADABLE,
    BOOT_MODULE_NO_MEMORY,
};

/*
 * A file that was loaded with the image, into memory that is among the regions: the core takes it from there, so that
 * a list that does not agree with the map is found out (kernel/mm/module_files.h).
 */
struct boot_module {
    uint64_t base, length; /* bytes */
    uint32_t line_cut;     /* 1: the line was longer than BOOT_MODULE_LINE */
    uint32_t wrong;        /* enum boot_module_wrong */
    char line[BOOT_MODULE_LINE]; /* its path, a blank, the program's arguments */
};

struct boot_info {
    uint64_t magic;
    uint64_t image;        /* where the core image was loaded, 4 KiB aligned */
    uint64_t rsdp;         /* ACPI root pointer, 0 if the door does not know it */
    uint32_t has_vga_text; /* 1: 80x25 text at 0xb8000 can be written */
    uint32_t regions;      /* number of regions; the image is not among them */
    uint32_t words_cut;    /* 1: the line of words was longer than BOOT_WORDS */
    uint32_t modules;      /* number of modules */
    struct boot_region region[BOOT_REGIONS];
    struct boot_module module[BOOT_MODULES];
    uint32_t modules_left; /* modules for which there was no room here */
    uint32_t reserved;
    struct framebuffer_layout framebuffer; /* of a width of 0: the door was told of none */
    char door[16];         /* "multiboot", "uefi", "rom", "disk", "linux" */
    char words[BOOT_WORDS];
};

/*
 * The head of the core image (build/core.bin, flat), at its offset 0x40: how a
 * door that loads it by itself enters it.  The core runs at any 4 KiB aligned
 * physical address below 4 GiB; `memory` bytes must be free there, those past
 * `bytes` zeroed.  Enter at image + entry64 in long mode, interrupts off, paging
 * on with the image, the boot_info and the code that jumps identity-mapped,
 * RDI = physical address of the struct boot_info.
 */
#define CORE_HEAD_OFFSET 0x40
#define CORE_HEAD_MAGIC  0x31424f5250555043ull /* "CPUPROB1" */

struct core_head {
    uint64_t magic;
    uint32_t entry64; /* offset of the 64-bit entry from the image's start */
    uint32_t bytes;   /* length of the file */
    uint32_t memory;  /* length in memory, bss included */
    uint32_t reserved;
};
