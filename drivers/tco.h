/* SPDX-License-Identifier: MIT */
/*
 * The watchdog of Intel's south bridges, TCO: two time-outs in a row reset the machine.  ICH6 to the 9 series of
 * the PCH, which have it behind the same registers; Intel ICH9 data sheet, 316972, 10.1.75, 13.1 and 13.9.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define TCO_TENTHS 6 /* of a second, a count */

struct tco {
    uint16_t ports;
    uint32_t reload; /* counts of a time-out */
    bool halted, resets, locked;
};

/*
 * Look for it, and read how it is set.  False: there is no such chipset, or its ports are not open.  `direct_map`
 * is where physical address 0 is mapped.  Nothing is written.  Task context, interrupts off.
 */
bool tco_find(struct tco *t, uint64_t direct_map);

/* Counts until its next time-out: one that never changes has not been started.  Any context. */
uint32_t tco_count(const struct tco *t);

/* Halt it; false where it goes on all the same, as firmware can lock it.  Any context. */
bool tco_halt(const struct tco *t);
