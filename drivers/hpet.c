/* SPDX-License-Identifier: MIT */
/* Legacy replacement of the HPET, and its main counter.  IA-PC HPET specification 1.0a. */
#include "drivers/hpet.h"

#include "drivers/io.h"

#define HPET_ADDRESS       0xfed00000u /* its usual physical address */
#define HPET_CAPABILITIES  0x000
#define HPET_CONFIGURATION 0x010
#define CONFIG_LEGACY      (1u << 1)
#define CONFIG_ENABLE      (1u << 0)   /* the main counter counts */
#define HPET_PERIOD        0x004       /* upper half of the capabilities: femtoseconds of a count */
#define PERIOD_MOST        100000000u  /* 100 ns */
#define HPET_COUNTER       0x0f0
#define HPET_TIMER(i)      (0x100 + 0x20 * (uint64_t)(i))
#define TIMER_INTERRUPTS   (1u << 2)
#define TIMERS_SHIFT       8           /* of the capabilities: the number of the last timer */
#define TIMERS_MASK        0x1fu

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

uint32_t hpet_count_start(uint64_t direct_map)
{
    const uint64_t base = direct_map + HPET_ADDRESS;
    const uint32_t capabilities = mmio_read32(base + HPET_CAPABILITIES), period = mmio_read32(base + HPET_PERIOD);

    if (capabilities == 0 || capabilities == 0xffffffff || period == 0 || period > PERIOD_MOST)
        return 0;
    for (uint32_t i = 0; i <= (capabilities >> TIMERS_SHIFT & TIMERS_MASK); i++)
        mmio_write32(base + HPET_TIMER(i), mmio_read32(base + HPET_TIMER(i)) & ~TIMER_INTERRUPTS);
    mmio_write32(base + HPET_CONFIGURATION, mmio_read32(base + HPET_CONFIGURATION) | CONFIG_ENABLE);
    return period;
}

uint32_t hpet_count(uint64_t direct_map)
{
    return mmio_read32(direct_map + HPET_ADDRESS + HPET_COUNTER);
}
