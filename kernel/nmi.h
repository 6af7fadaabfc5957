/* SPDX-License-Identifier: MIT */
/*
 * The tick as NMI: nothing holds it off, neither interrupts that are off nor a
 * handler, so that every moment but its own is sampled where it is.  It may come
 * between any two instructions, and uses nothing that the code below it may be
 * half-way through with (docs/DESIGN.md, "The tick as NMI").
 */
#ifndef KERNEL_NMI_H
#define KERNEL_NMI_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/frame.h"
#include "probe/probe.h"

#define NMI_PROOFS 8 /* one-shots that must all arrive */
#define NMI_PINS   2 /* of the I/O APIC, where the PIT's line may end */

/* What was found while the way was looked for: for the sentence that refuses it. */
struct nmi_proof {
    unsigned pins;              /* of the I/O APIC; 0: none answers */
    unsigned pin[NMI_PINS];     /* those that were tried */
    unsigned arrived[NMI_PINS]; /* one-shots that came through each */
};

/*
 * Have the PIT's line delivered as NMI by the I/O APIC and not at all by the
 * 8259, and prove it by counting.  `clock_hz`: of the TSC.  False where no pin
 * brought every one-shot.  Once, interrupts off, IRETQ having been executed since
 * the image took over (firmware may have left NMIs blocked).
 */
bool nmi_route(struct nmi_proof *proof, uint64_t clock_hz);

/* Let the PIT's edges through, or not.  Any context but the NMI. */
void nmi_open(bool open);

/* Where the image was when `f` was pushed: pc, task and mode of the sample, and `halted`. */
void nmi_place(const struct cpu_frame *f, struct probe_event *e);

/* The NMI's last reading of the clock and, by that, the end of its IRETQ: clock units. */
uint64_t nmi_read_at(void);
uint64_t nmi_left_at(void);

/* From that reading to the end of IRETQ: measured; once, before the probe runs. */
void nmi_set_tail(uint64_t clocks);

/*
 * Halt where *word is 0; an NMI that makes it another number ends that in any case.
 * Interrupts off.
 */
void halt_until(const volatile uint64_t *word); /* kernel/vectors.asm */

/* NMIs that came while one was being handled; the handler begins anew for them. */
uint64_t nmi_nested(void);

#endif
