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

/*
 * Begin one one-shot, for kernel/measure/one_shot.h.  Returns the clock after that.
 * Before the probe runs; interrupts off.
 */
uint64_t source_pit_arm_once(uint32_t count);

/*
 * The clock at the entry of its handler, 0 while it has not come;
 * and the counts past its end that the counter showed there.
 */
extern volatile uint64_t source_pit_fired;
uint32_t source_pit_fired_past(void);

/* What the lateness of a tick is computed by. */
struct source_pit_clock {
    uint64_t per_65536; /* clock units in 65536 counts */
    uint32_t behind;    /* counts past its end that the counter shows in a tick in time */
    uint64_t late;      /* clock units: a tick out of running code that is later is late */
    uint64_t longest;   /* clock units: over a longer one-shot the error of per_65536 may make a tick late */
    /* the CPU promises that the TSC keeps its rate: it decides where it and the counter disagree */
    bool invariant;
    bool stops;         /* the TSC stops in HLT: the counter is read in each tick */
};

/*
 * Set it, while no tick can come.  A TSC that promises nothing tells the lateness until the counter contradicts it.
 */
void source_pit_set_clock(const struct source_pit_clock *c);

/*
 * Of a usual tick: from the entry's reading of the clock to the arming, and to the end of IRETQ, clock units.
 * While no tick can come.
 */
void source_pit_set_way(uint64_t way, uint64_t usual);

/* From a usual tick's arming to the end of its IRETQ, clock units, once the start has measured it. */
uint64_t source_pit_exit_cost(void);

/* Whether the TSC tells the lateness of ticks now, the counter in one of so many.  Any context. */
bool source_pit_by_tsc(unsigned *read_every);

/* Deliver its ticks as NMI (nmi_route() in kernel/source/nmi.h), and the pins that were tried.  The start. */
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
