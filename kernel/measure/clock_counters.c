/* SPDX-License-Identifier: MIT */
/* HPET specification 1.0a, 2.3.4; ACPI specification 6.5, 4.8.2.1. */
#include "kernel/measure/clock_counters.h"

#include "drivers/hpet.h"
#include "drivers/io.h"
#include "drivers/pm_timer.h"
#include "kernel/firmware/firmware_tables.h"

#define TRIES 8

static struct pm_timer pm; /* set at the start */

static uint64_t read_hpet(void)
{
    return hpet_count();
}

static uint64_t read_pm(void)
{
    return pm_timer_read(&pm);
}

struct clock_counter clock_counter_hpet(void)
{
    return (struct clock_counter){ read_hpet, 1ull << 32, hpet_in_use() ? hpet_hz_milli() : 0 };
}

struct clock_counter clock_counter_pm_timer(void)
{
    const bool there = firmware_pm_timer(&pm);

    return (struct clock_counter){ read_pm, 1ull << pm.bits, there ? PM_TIMER_HZ * 1000ull : 0 };
}

struct clock_reading clock_read_once(uint64_t (*read)(void))
{
    struct clock_reading r;

    r.from = rdtsc();
    r.count = read();
    r.to = rdtsc();
    return r;
}

struct clock_reading clock_read(uint64_t (*read)(void))
{
    struct clock_reading best = clock_read_once(read);

    for (int i = 1; i < TRIES; i++) {
        const struct clock_reading r = clock_read_once(read);

        if (r.to - r.from < best.to - best.from)
            best = r;
    }
    return best;
}
