/* SPDX-License-Identifier: MIT */
/* The HPET: its legacy replacement, which takes IRQ 0 from the 8254, and its main counter.  IA-PC HPET specification 1.0a. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Switch legacy replacement off: while it is on, the HPET drives IRQ 0 and the 8254 cannot
 * interrupt.  Returns true if it was on.  Interrupts off.
 */
bool hpet_release_irq0(uint64_t direct_map);

/*
 * Let its main counter count, none of its timers interrupt.  Returns the period of a count, femtoseconds; 0 where there
 * is no HPET, or one whose period the specification does not allow.  Interrupts off.
 */
uint32_t hpet_count_start(uint64_t direct_map);

/* The lower half of the main counter, after hpet_count_start().  Any context. */
uint32_t hpet_count(uint64_t direct_map);
