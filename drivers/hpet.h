/* SPDX-License-Identifier: MIT */
/* The HPET: only its legacy replacement, which takes IRQ 0 from the 8254.  IA-PC HPET specification 1.0a. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Switch legacy replacement off: while it is on, the HPET drives IRQ 0 and the 8254 cannot
 * interrupt.  Returns true if it was on.  Interrupts off.
 */
bool hpet_release_irq0(uint64_t direct_map);
