/* SPDX-License-Identifier: MIT */
/*
 * What of the PIT as tick source (kernel/source/source.h) others use: its entry, its
 * counters, and single one-shots to measure clocks with.
 */
#ifndef KERNEL_SOURCE_SOURCE_PIT_H
#define KERNEL_SOURCE_SOURCE_PIT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/frame.h"
#include "kernel/source/nmi.h"

/* Begin one one-shot, for kernel/source/one_shot.h.  Returns the clock after that.  Before the probe runs; interrupts off. */
uint64_t source_pit_arm_once(uint32_t count);

/* The clock at the entry of its handler, 0 while it has not come; and the counts past its end that the counter showed. */
extern volatile uint64_t source_pit_fired;
uint32_t source_pit_fired_past(void);

/*
 * What the ticks are timed with: clock units in 65536 counts, how many counts
 * past its end the counter shows in the handler of a tick in time, above which
 * lateness out of running code a tick is late, and whether the clock is to be
 * believed where it and the counter disagree.  While no tick can come.
 */
void source_pit_set_clock(uint64_t per_65536, uint32_t behind, uint64_t late, bool trusted);

#define PIT_PROOFS 8u /* one-shots that must all arrive as NMIs */

/* Have its ticks come as NMI (kernel/source/nmi.h, nmi_route), and which pins were tried. */
bool source_pit_route(struct nmi_proof *proof, uint64_t clock_hz);
unsigned source_pit_tried(unsigned index);

/* Clocks from arming in the handler to the end of its IRETQ, of the last tick. */
uint64_t source_pit_arm_to_exit(void);

/* Ticks whose lateness the counter and the clock saw differently. */
uint64_t source_pit_disagreements(void);

/* Requests of IRQ 0 that came before the one-shot had ended: no ticks. */
uint64_t source_pit_early(void);

/*
 * IRQ 0, `now` the clock at its entry.  Interrupt context; from tick_entry in
 * kernel/cpu/vectors.asm, or through interrupt_dispatch where a change of cell was
 * torn and had to be settled first.
 */
void source_pit_interrupt(const struct cpu_frame *f, uint64_t now);

#endif
