/* SPDX-License-Identifier: MIT */
/* Whether the chipset's watchdog runs: whether its count changes. */
#include "kernel/firmware/watchdog.h"

#include "drivers/io.h"
#include "drivers/tco.h"
#include "kernel/boot_info.h"

#define LOOK_TENTHS 7 /* of a second: longer than a count */

/* One that is not halted need not have been started. */
static bool is_counting(const struct tco *t, uint64_t clock_hz)
{
    const uint64_t begin = rdtsc(), most = clock_hz / 10 * LOOK_TENTHS;
    const uint32_t first = tco_count(t);

    while (rdtsc() - begin < most)
        if (tco_count(t) != first)
            return true;
    return false;
}

/* It resets at the second time-out; the count that it is at may be over at once. */
static uint32_t seconds_left(const struct tco *t)
{
    const uint32_t counts = tco_count(t) + t->reload;

    return counts > 0 ? (counts - 1) * TCO_TENTHS / 10 : 0;
}

enum watchdog watchdog_look(uint64_t clock_hz, bool stop, uint32_t *seconds)
{
    struct tco t;

    if (!tco_find(&t, DIRECT_BASE) || t.halted || !t.resets || !is_counting(&t, clock_hz))
        return WATCHDOG_NONE;
    if (stop && !t.locked && tco_halt(&t))
        return WATCHDOG_STOPPED;
    *seconds = seconds_left(&t);
    return stop ? WATCHDOG_LOCKED : WATCHDOG_RUNS;
}
