/* SPDX-License-Identifier: MIT */
/* The HPET, so far as it stands in the 8254's way.  IA-PC HPET specification 1.0a. */
#ifndef DRIVERS_HPET_H
#define DRIVERS_HPET_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Switch legacy replacement off: while it is on, the HPET has IRQ 0 and the
 * 8254 none.  True if it was on.  Interrupts off.
 */
bool hpet_release_irq0(uint64_t direct_map);

#endif
