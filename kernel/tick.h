/* SPDX-License-Identifier: MIT */
/* Windows of the probe, and the source that it ticks by: the port of probe/ to this executive. */
#ifndef KERNEL_TICK_H
#define KERNEL_TICK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/source.h"
#include "kernel/task.h"
#include "probe/probe.h"

extern const struct source *tick_source; /* in force; set once, before tick_begin() */
extern const struct source *tick_beside; /* the second of two, NULL: there is none; likewise */
extern struct probe probe, probe_beside; /* of each; the tick's, but for what probe/probe.h gives the task */

/* The exact row of a task, by number, in the window of this probe that was closed last. */
void tick_row(const struct probe *p, uint32_t number, struct account_row *row);

/* Begin a window of each source: the first interval of its probe's schedule.  Interrupts off. */
void tick_begin(void);

/* No tick from here on. Interrupts off. */
void tick_stop(void);

/* Begin a window without any tick, and close it: tick=none. Interrupts off. */
void tick_begin_none(void);
void tick_close_none(void);

#endif
