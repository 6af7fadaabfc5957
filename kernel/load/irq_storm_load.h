/* SPDX-License-Identifier: MIT */
/*
 * A device that interrupts thousands of times a second, with a handler that does real
 * work.  The question is how much of that work a task that only computes is charged
 * (McCanne and Torek, "Interrupt Activity Interference").
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define IRQ_STORM_HZ 4096u
/* of work in an interrupt; the rest of the time is left to all others */
#define IRQ_STORM_LONGEST_US (1000000 / IRQ_STORM_HZ * 3 / 4)

/*
 * Let the RTC interrupt IRQ_STORM_HZ times a second.  Each time the handler does `units`
 * of kernel/abi/spin_loop.h, at most IRQ_STORM_LONGEST_US of them; `open`: with interrupts
 * enabled.  Task context.
 */
void irq_storm_start(uint64_t units, bool open);

/* Interrupts since its start.  Interrupts off. */
uint64_t irq_storm_count(void);

/* End it; nothing where there is no storm.  Returns the interrupts since its start.  Task context. */
uint64_t irq_storm_stop(void);
