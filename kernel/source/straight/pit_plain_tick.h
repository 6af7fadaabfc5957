/* SPDX-License-Identifier: MIT */
/*
 * The PIT's tick where all is usual: one straight piece of code for each delivery, without a call, entered by the
 * stubs of kernel/cpu/vectors.asm.  What is not usual is done by kernel/source/source_pit.c,
 * which says what usual is.
 */
#pragma once

#include <stdint.h>

#include "kernel/cpu/frame.h"

#define PIT_COUNTS_SHIFT 44 /* fractional bits of counts_in_clock: 65535 counts of it are below 2^60 */

/* What a tick is computed from.  Written by source_pit.c while no tick can come, and by ticks. */
struct pit_tick {
    uint64_t due;       /* clock units: the end of the one-shot */
    /* a lateness below this is usual; 0: no tick is, as another account, monitor or end of interrupt is in force */
    uint64_t limit;
    uint64_t per_65536; /* clock units in 65536 counts */
    uint64_t counts_in_clock; /* 20.44 */
    /* from the entry's reading of the clock to the arming, less a count and what points count from, clock units */
    uint64_t way;
    uint64_t least;     /* from that reading to the soonest point that a usual tick can arm, likewise */
    uint64_t span;      /* and from there to the last, clock units */
    uint32_t counts;    /* of the one-shot */
};
extern struct pit_tick pit_tick;

/*
 * Handle a tick that interrupted frame `f`, `now` the clock at its entry.  Returns 0; `now`, with nothing changed,
 * where it is not usual.  The stubs rely on how they are compiled (PLAIN in the Makefile): they keep all registers
 * but rax, rdx, rsi and rdi.
 * `counted` and `accounted` are by IRQ, without the account and with one that is kept;
 * `nmi` is by NMI out of a program.
 */
typedef uint64_t pit_plain_handler(const struct cpu_frame *f, uint64_t now);
pit_plain_handler pit_plain_counted, pit_plain_accounted, pit_plain_nmi, pit_plain_never;

/* The one in force for each delivery: called by the stubs.  Changed while no tick can come. */
extern pit_plain_handler *pit_plain_irq, *pit_plain_as_nmi;

/*
 * The ends of the last two alone, for measuring what is charged after the last reading of the clock, until the end of
 * IRETQ: pit_plain_exit_cost and, of the NMI, plain_exit_cost in kernel/source/nmi_state.h, clock units.  Set once
 * (kernel/tick/entry_cost.c).
 */
pit_plain_handler pit_plain_accounted_end, pit_plain_nmi_end;
extern uint64_t pit_plain_exit_cost;
