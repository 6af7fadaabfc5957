/* SPDX-License-Identifier: MIT */
/* Whether a device can be at an address, by the memory map of the door. */
#include "kernel/mm/device_place.h"

#define ONE_MIB 0x100000u

struct range {
    uint64_t base, end;
};

static int overlap(const struct range *r, uint64_t from, uint64_t bytes)
{
    return r->base < from + bytes && from < r->end;
}

const char *device_place_check(const struct boot_info *boot, uint64_t image_bytes, uint64_t base, uint64_t bytes)
{
    const struct range r = { base, base + bytes };

    if (r.end < base)
        return "it passes the end of all addresses";
    if (overlap(&r, 0, ONE_MIB) || overlap(&r, boot->image, image_bytes))
        return "it overlaps the image, or the first MiB";
    for (uint32_t i = 0; i < boot->regions && i < BOOT_REGIONS; i++)
        if (overlap(&r, boot->region[i].base, boot->region[i].length))
            return "it overlaps free memory";
    return 0;
}
