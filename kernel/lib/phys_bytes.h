/* SPDX-License-Identifier: MIT */
/* Physical memory by its address, for what reads the tables that firmware leaves in it. */
#pragma once

#include <stdint.h>

#include "kernel/boot_info.h"

/* Bytes of physical memory, through the direct map; NULL where they are not all below 4 GiB.  Any context. */
static inline const uint8_t *phys_bytes(uint64_t physical, uint64_t length)
{
    const uint64_t end = 1ull << 32;

    return physical < end && length <= end - physical ? (const uint8_t *)(DIRECT_BASE + physical) : 0;
}
