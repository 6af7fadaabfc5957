/* SPDX-License-Identifier: MIT */
/* Windows of the probe, and the source that it ticks by: the port of probe/ to this executive. */
#ifndef KERNEL_TICK_H
#define KERNEL_TICK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sampler.h"
#include "kernel/task.h"
#include "probe/probe.h"

/* The exact row of a task, by number, in the window of this probe that was closed last. */
void tick_row(const struct probe *p, uint32_t number, struct account_row *row);

/* Attach the tick to what stands below it: the system clock and the scheduler.  Once, before tasks run. */
void tick_attach(void);

/* Begin a window of each source: the first interval of its probe's schedule.  Interrupts off. */
void tick_begin(void);

/* No tick from here on. Interrupts off. */
void tick_stop(void);

/* Begin a window without any tick, and close it: tick=none. Interrupts off. */
void tick_begin_none(void);
void tick_close_none(void);

#endif
