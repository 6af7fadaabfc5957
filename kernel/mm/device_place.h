/* SPDX-License-Identifier: MIT */
/* Where a device cannot be: a framebuffer or registers that firmware, loader or words tell of. */
#pragma once

#include <stdint.h>

#include "kernel/boot_info.h"

/*
 * Why no device can be at these physical addresses: what is not known to be free for it would be written over.  NULL
 * where one can be.  `image_bytes`: of the image in memory.  Any context.
 */
const char *device_place_check(const struct boot_info *boot, uint64_t image_bytes, uint64_t base, uint64_t bytes);
