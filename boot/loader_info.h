/* SPDX-License-Identifier: MIT */
/*
 * The struct boot_info that the core fills itself, from what a loader of others left: the part that the multiboot
 * door and the Linux door share.  Called once, interrupts off, before kernel_main(), at the linked address.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/boot_info.h"

/* What is filled; the magic number and the place of the image stand in it. */
struct boot_info *loader_info(void);

/* Memory of the loader's at this physical address, below 4 GiB. */
static inline const void *loader_memory(uint64_t address)
{
    return (const void *)(DIRECT_BASE + address);
}

/* Add an entry of the loader's map, in bytes (boot/memory_map.h): first all that are free, then all others. */
void loader_info_region(uint64_t base, uint64_t length, bool free);

/* Take the image itself out of what is free: after the last entry. */
void loader_info_close_map(void);

/* The line of words; `grub`: with quotes and backslashes as GRUB 2 writes them. */
void loader_info_words(const char *line, bool grub);

/* Copied, because the loader's text may lie in memory that is free. */
void loader_info_module_line(struct boot_module *m, const char *line);

/* `name`: at most 15 characters are kept. */
void loader_info_door(const char *name);
