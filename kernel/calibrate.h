/* SPDX-License-Identifier: MIT */
/*
 * What this machine's clocks and interrupts are like, measured once at the start
 * with the image's own handlers.  Nothing here is assumed of any chip.
 */
#ifndef KERNEL_CALIBRATE_H
#define KERNEL_CALIBRATE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/frame.h"
#include "kernel/timer.h"
#include "probe/probe.h"

struct calibration {
    struct timer_rate rate;   /* TSC, and the local APIC's timer against it */
    uint64_t per_65536;       /* clock units in 65536 counts of the PIT */
    uint64_t unit_q32;        /* a turn of kernel/spin.h, clock units, 32.32 */
    uint64_t entry;           /* an empty handler, INT to IRETQ, clock units */
    uint64_t stub;            /* from an entry to its reading of the clock */
    uint64_t tail;            /* from the last reading of the clock to the end of IRETQ */
    struct probe_lateness running, halted;
    uint32_t behind;          /* counts that the counter is past its end in time */
    bool tsc_stops;           /* the TSC did not run on in HLT */
};

/*
 * Measure all of it; interrupts on meanwhile, off at the end.  Once, after
 * take-over, IRQ 0 unmasked.  False where a one-shot of the PIT does not
 * interrupt within a bounded wait.
 */
bool calibrate(struct calibration *c);

/* Clock units as counts of the PIT, rounded up. */
uint32_t calibrate_counts(const struct calibration *c, uint64_t clocks);

/* What the running probe's handler costs and how soon after it a tick can come. */
struct handler_cost {
    uint64_t handler;   /* clock units, expiry to the end of IRETQ */
    uint32_t minimum;   /* counts */
};
void calibrate_handler(const struct calibration *c, struct handler_cost *cost);

/* The empty handler's last deed: read the clock. Interrupt context. */
void calibrate_leaving(const struct frame *f);

#endif
