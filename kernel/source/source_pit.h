/* SPDX-License-Identifier: MIT */
/*
 * The part of the PIT's tick source (kernel/source/source.h) that others use: single one-shots
 * for measurements, its counters, and its entry.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/frame.h"
#include "kernel/source/nmi.h"

/* Begin one one-shot, for kernel/source/one_shot.h.  Returns the clock after that.  Before the probe runs; interrupts off. */
uint64_t source_pit_arm_once(uint32_t count);

/* The clock at the entry of its handler, 0 while it has not come; and the counts past its end that the counter showed there. */
extern volatile uint64_t source_pit_fired;
uint32_t source_pit_fired_past(void);

/*
 * Set what the lateness of a tick is computed by: `per_65536` clock units in 65536 counts;
 * `behind`, the counts past its end that the counter shows in a tick in time; `late`, the
 * lateness in clock units above which a tick out of running code is late; `trusted`, whether
 * the TSC decides where it and the counter disagree.  While no tick can come.
 */
void source_pit_set_clock(uint64_t per_65536, uint32_t behind, uint64_t late, bool trusted);

#define PIT_PROOFS 8u /* one-shots that must all arrive as NMIs */

/* Deliver its ticks as NMI (nmi_route() in kernel/source/nmi.h); and the pins that this tries.  The start. */
bool source_pit_route(struct nmi_proof *proof, uint64_t clock_hz);
unsigned source_pit_tried(unsigned index);

/* Clock units from the arming in the last tick's handler to the end of its IRETQ. */
uint64_t source_pit_arm_to_exit(void);

/* Ticks whose lateness was not the same by the counter and by the TSC.  Any context. */
uint64_t source_pit_disagreements(void);

/* Interrupts of IRQ 0 that came before the one-shot had ended: they are no ticks.  Any context. */
uint64_t source_pit_early(void);

/*
 * The handler of IRQ 0, `now` the clock at its entry.  Called by tick_entry in
 * kernel/cpu/vectors.asm, or by interrupt_dispatch() where a torn change of cell had to be
 * settled first.  Interrupt context.
 */
void source_pit_interrupt(const struct cpu_frame *f, uint64_t now);
