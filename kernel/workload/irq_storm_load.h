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

#define STORM_HZ 4096u
#define STORM_LONGEST_US (1000000 / STORM_HZ * 3 / 4) /* of work an interrupt: the rest is everybody else's */

/*
 * Let the RTC interrupt; each time the handler does `units` of kernel/abi/spin_loop.h,
 * with interrupts let in meanwhile or not.  At most STORM_LONGEST_US of units.  Task context.
 */
void storm_begin(uint64_t units, bool open);

/* Be quiet again, nothing where there is no storm; returns the interrupts since it began.  Task context. */
uint64_t storm_end(void);

/* IRQ 8, ended here too; false if there never was a storm.  Interrupt context. */
bool storm_interrupt(void);

#endif
