/* SPDX-License-Identifier: MIT */
/*
 * The memory that the core may take, from the map of a firmware or of a loader, which is hostile until checked: its
 * entries may overlap, run past the end of the address space, be empty, come in any order, and be more than there is
 * room for.  What one entry reserves is not free, whatever others say (as Linux treats e820: arch/x86/kernel/e820.c
 * has the same rule).  The doors add all free entries first, then take out all others.
 */
#pragma once

#include <stdint.h>

#include "kernel/boot_info.h"

/*
 * Add bytes that an entry calls free to info->region, whose regions stay ordered, apart from each other, of whole
 * pages, between 1 MiB and 4 GiB.  An entry that runs past 2^64 is left out.  Where there is no room, the smallest
 * region is given up.  Interrupts off, before the core starts.
 */
void memory_map_free(struct boot_info *info, uint64_t base, uint64_t length);

/*
 * Take bytes that an entry does not call free out of info->region, with all of the pages that they touch.  An entry
 * that runs past 2^64 reserves all from its base on.  As above.
 */
void memory_map_reserve(struct boot_info *info, uint64_t base, uint64_t length);
