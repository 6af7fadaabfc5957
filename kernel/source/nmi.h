/* SPDX-License-Identifier: MIT */
/*
 * The tick as NMI: nothing holds it off, neither interrupts that are off nor a
 * handler, so that every moment but its own is sampled where it is.  It may come
 * between any two instructions, and uses nothing that the code below it may be
 * half-way through with (docs/DESIGN.md, "The tick as NMI").
 */
#ifndef KERNEL_SOURCE_NMI_H
#define KERNEL_SOURCE_NMI_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/frame.h"
#include "probe/core/probe.h"

#define NMI_PINS   2 /* of the I/O APIC, where a line may end */

/* The interrupt line of a device, to be delivered as NMI: one at a time is open. */
struct nmi_line {
    unsigned irq;           /* of the 8259, which is to hold it back */
    unsigned tries, tried[NMI_PINS]; /* so many pins of the I/O APIC, in turn */
    unsigned pin;           /* the one that was proven */
    unsigned shots;         /* NMIs that must all arrive */
    /* Have the device make `shots`, and say how many came, within a bounded time. */
    unsigned (*prove)(void);
    /*
     * What an NMI is while the line is open, a stray one too: the frame that it
     * found, `now` the clock at its entry.  Returns the moment from which on time
     * is the monitor's.  NMI context; it alone uses the device's ports then.
     */
    uint64_t (*handler)(const struct cpu_frame *f, uint64_t now);
};

/* What was found while the way was looked for: for the sentence that refuses it. */
struct nmi_proof {
    unsigned pins;              /* of the I/O APIC; 0: none answers */
    unsigned arrived[NMI_PINS]; /* NMIs that came through each that was tried */
};

/*
 * Have a line delivered as NMI by the I/O APIC and not at all by the 8259, and
 * prove it by counting.  NMIs are ticks from here on, until survey_set_delivery() says otherwise.  True: line->pin is set, and open.  False where none
 * brought every shot.  Interrupts off, no line open, IRETQ having been
 * executed since the image took over (firmware may have left NMIs blocked).
 */
bool nmi_route(struct nmi_line *line, struct nmi_proof *proof);

/* Let the edges of a line through that was proven, or not.  Any context but the NMI. */
void nmi_open(const struct nmi_line *line);
void nmi_close(const struct nmi_line *line);

/* Where the image was when `f` was pushed: pc, task and mode of the sample, and `halted`. */
void nmi_locate(const struct cpu_frame *f, struct probe_event *e);

/* The NMI's last reading of the clock and, by that, the end of its IRETQ: clock units. */
uint64_t nmi_last_reading(void);
uint64_t nmi_exit_time(void);

/* From that reading to the end of IRETQ: measured; once, before the probe runs. */
void nmi_set_exit_cost(uint64_t clocks);

/* NMIs that came while one was being handled; the handler begins anew for them. */
uint64_t nmi_nested(void);

/* NMIs that were no tick, by whatever delivery: no device of ours asked for them; one more.  NMI context. */
uint64_t nmi_strays(void);
void nmi_count_stray(void);

#endif
