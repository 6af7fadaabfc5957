/* SPDX-License-Identifier: MIT */
/*
 * A device that interrupts thousands of times a second, and a handler that does
 * real work: what a bystander is charged for it is the question (McCanne and
 * Torek, "Interrupt Activity Interference").
 */
#ifndef KERNEL_WORKLOAD_IRQ_STORM_LOAD_H
#define KERNEL_WORKLOAD_IRQ_STORM_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#define IRQ_STORM_HZ 4096u
#define IRQ_STORM_LONGEST_US (1000000 / IRQ_STORM_HZ * 3 / 4) /* of work an interrupt: the rest is everybody else's */

/*
 * Let the RTC interrupt; each time the handler does `units` of kernel/abi/spin_loop.h,
 * with interrupts let in meanwhile or not.  At most IRQ_STORM_LONGEST_US of units.  Task context.
 */
void irq_storm_start(uint64_t units, bool open);

/* Be quiet again, nothing where there is no storm; returns the interrupts since it began.  Task context. */
uint64_t irq_storm_stop(void);

#endif
