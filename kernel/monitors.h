/* SPDX-License-Identifier: MIT */
/* From the words monitor= and region= to the monitors of the probe. */
#ifndef KERNEL_MONITORS_H
#define KERNEL_MONITORS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Switch on what the words ask for, so that the handler's cost is measured with
 * it.  False, and said, where the line cannot carry the raw samples.  Once,
 * interrupts off.
 */
bool monitors_begin(void);

/* Give each region the row of its task.  False, and said, where there is none.  Once. */
bool monitors_find_tasks(void);

/* Two of 2 * this many ticks are told as raw samples; 1: all are. */
uint32_t monitors_thin(void);

#endif
