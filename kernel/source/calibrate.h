/* SPDX-License-Identifier: MIT */
/*
 * The rates of this machine's clocks and the latencies of its interrupts, measured once
 * at the start with the image's own handlers: no property of a chip is assumed.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/timer.h"
#include "kernel/source/nmi.h"
#include "probe/core/probe.h"
#include "probe/text/refusal.h"

#define CALIBRATE_PARTS 8u /* a one-shot takes at most this part of the time over which its clock was measured */

struct calibration {
    struct timer_rate rate;   /* TSC, and the local APIC's timer against it */
    uint64_t per_65536;       /* clock units in 65536 counts of the PIT */
    /* clock units: over a one-shot as long the error of that is below an eighth of what shots in time differ by */
    uint64_t longest;
    uint64_t unit_q32;        /* an iteration of kernel/abi/spin_loop.h, clock units, 32.32 */
    uint64_t empty_interrupt; /* an interrupt whose handler does nothing, INT to IRETQ, clock units */
    uint64_t entry_cost;      /* from an entry to its reading of the clock, likewise the next four */
    uint64_t exit_cost;       /* from the last reading of the clock to the end of IRETQ */
    uint64_t tick_exit_cost;  /* the same of a tick */
    uint64_t cli_cost;        /* from CLI to the reading of account_cli() */
    uint64_t sti_cost;        /* from the reading of account_sti() to the end of STI */
    struct probe_lateness running, halted;
    uint32_t counts_past;     /* what the PIT's counter shows beyond its end in a tick that is in time */
    bool tsc_stops;           /* in HLT */
};

/*
 * Measure the clocks.  Then, once the system clock is found and can end a HLT, the
 * latencies and the costs of CLI and STI.  False where that fails, as without any timer.  No interrupt is waited
 * for longer than a quarter of a second, by the TSC.  Each once, after hw_takeover(), IRQ 0
 * unmasked; interrupts on meanwhile, off at the end.
 */
bool calibrate_clocks(struct calibration *c, struct refusal *why);
bool calibrate_latencies(struct calibration *c, struct refusal *why);

/*
 * Have the PIT's ticks come as NMI, and measure the latencies of that.  `proof` says which
 * NMIs arrived.  False where the route does not exist, or where a one-shot did not come
 * (calibrate_check()).  Once, after calibrate_latencies(), before the probe runs;
 * interrupts off, and on meanwhile.
 */
bool calibrate_nmi(struct calibration *c, struct nmi_proof *proof);

/* False where a one-shot did not come, with which one.  The start. */
bool calibrate_check(struct refusal *why);

/* Clock units as counts of a source, so many of them in 65536 counts, rounded up. */
uint32_t clocks_to_counts(uint64_t per_65536, uint64_t clocks);
