/* SPDX-License-Identifier: MIT */
/* The PIT as tick source of the probe: the port of probe/ to this executive. */
#ifndef KERNEL_TICK_H
#define KERNEL_TICK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/frame.h"
#include "kernel/task.h"
#include "probe/probe.h"

extern struct probe probe; /* the tick's, but for what probe/probe.h gives the task */

/* The exact row of a task, by number, in the window that was closed last. */
void tick_row(uint32_t number, struct account_row *row);

/* Before the probe runs: one one-shot.  Returns the clock at arming; interrupts off. */
uint64_t tick_arm_once(uint32_t count);

/* The clock at the entry of that one-shot's handler, 0 while it has not come. */
uint64_t tick_fired(void);

/* What the counter said there: counts past its end. */
uint32_t tick_fired_behind(void);

/*
 * What the ticks are timed with: clock units in 65536 counts, how many counts
 * past its end the counter shows in the handler of a tick in time, and whether
 * the clock is to be believed where it and the counter disagree.  Once.
 */
void tick_set_clock(uint64_t per_65536, uint32_t behind, bool trusted);

/* Begin a window: the first interval of probe.schedule.  Interrupts off. */
void tick_begin(void);

/* No tick from here on. Interrupts off. */
void tick_stop(void);

/* Begin a window without any tick, and close it: tick=none. Interrupts off. */
void tick_begin_none(void);
void tick_close_none(void);

/* Clocks from arming in the handler to the end of its IRETQ, of the last tick. */
uint64_t tick_rearm_clocks(void);

/* Ticks whose lateness the counter and the clock saw differently. */
uint64_t tick_disagreements(void);

/* Requests of IRQ 0 that came before the one-shot had ended: no ticks. */
uint64_t tick_early(void);

/*
 * IRQ 0, `now` the clock at its entry.  Interrupt context; from tick_entry in
 * kernel/vectors.asm, or through interrupt_dispatch where a change of cell was
 * torn and had to be settled first.
 */
void tick_interrupt(const struct cpu_frame *f, uint64_t now);

#endif
