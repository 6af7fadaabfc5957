/* SPDX-License-Identifier: MIT */
/*
 * What the door's memory map tells: memory that was never used, regions of whole pages below 4 GiB, and where beside
 * it a device can be.  The caller keeps interrupts off.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/boot_info.h"

/* Take over the free regions that the door found.  Once. */
void free_regions_init(const struct boot_info *info);

/* Take the pages of these bytes out, from the start of a page.  False where not all of them are free. */
bool free_regions_reserve(uint64_t base, uint64_t bytes);

/* Take so many pages in a row: 0 where there is no such run. */
uint64_t free_regions_take(uint64_t pages);

/* The most pages in a row, and all pages. */
uint64_t free_regions_longest(void);
uint64_t free_regions_pages(void);

/*
 * Why no device can be at these physical addresses: what is not known to be free for it would be written over.  NULL
 * where one can be.  `image_bytes`: of the image in memory.  Any context.
 */
const char *device_place_check(const struct boot_info *boot, uint64_t image_bytes, uint64_t base, uint64_t bytes);
