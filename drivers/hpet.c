/* SPDX-License-Identifier: MIT */
/* Legacy replacement of the HPET.  IA-PC HPET specification 1.0a. */
#include "drivers/hpet.h"

#include "drivers/io.h"

#define HPET_ADDRESS       0xfed00000u /* its usual physical address */
#define HPET_CAPABILITIES  0x000
#define HPET_CONFIGURATION 0x010
#define CONFIG_LEGACY      (1u << 1)

bool hpet_release_irq0(uint64_t direct_map)
{
    const uint64_t base = direct_map + HPET_ADDRESS;
    const uint32_t capabilities = mmio_read32(base + HPET_CAPABILITIES);
    uint32_t configuration;

    if (capabilities == 0 || capabilities == 0xffffffff)
        return false;
    configuration = mmio_read32(base + HPET_CONFIGURATION);
    mmio_write32(base + HPET_CONFIGURATION, configuration & ~CONFIG_LEGACY);
    return (configuration & CONFIG_LEGACY) != 0;
}
