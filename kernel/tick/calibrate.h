/* SPDX-License-Identifier: MIT */
/*
 * What this machine's clocks and interrupts are like, measured once at the start
 * with the image's own handlers.  Nothing here is assumed of any chip.
 */
#ifndef KERNEL_TICK_CALIBRATE_H
#define KERNEL_TICK_CALIBRATE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/frame.h"
#include "kernel/sched/timer.h"
#include "kernel/tick/nmi.h"
#include "probe/core/probe.h"

struct calibration {
    struct timer_rate rate;   /* TSC, and the local APIC's timer against it */
    uint64_t per_65536;       /* clock units in 65536 counts of the PIT */
    uint64_t unit_q32;        /* a turn of kernel/abi/spin_loop.h, clock units, 32.32 */
    uint64_t empty_interrupt;           /* an empty handler, INT to IRETQ, clock units */
    uint64_t entry_cost;            /* from an entry to its reading of the clock */
    uint64_t exit_cost;            /* from the last reading of the clock to the end of IRETQ */
    uint64_t tick_exit_cost;       /* the same of a tick */
    uint64_t cli_cost, sti_cost;      /* from CLI to account_cli()'s reading, from account_sti()'s to the end of STI */
    struct probe_lateness running, halted;
    uint32_t counts_past;          /* counts that the counter is past its end in time */
    bool tsc_stops;           /* the TSC did not run on in HLT */
};

/*
 * Measure the clocks, and then, once the system clock is found and can end a HLT, all
 * else; interrupts on meanwhile, off at the end.  NULL, or why not: a sentence without
 * its full stop.  No interrupt is waited for longer than a quarter of a second, by the
 * TSC.  Each once, after take-over, IRQ 0 unmasked.
 */
const char *calibrate_clocks(struct calibration *c);
const char *calibrate_latencies(struct calibration *c);

/*
 * Have ticks come as NMI, and measure anew what is different then.  `proof` says
 * what was found of the way.  False where there is none, or where one of its
 * one-shots did not come (calibrate_failure()).  Once, after calibrate_latencies(),
 * before the probe runs; interrupts off, and on meanwhile.
 */
bool calibrate_nmi(struct calibration *c, struct nmi_proof *proof);

/* Which one-shot did not come, a sentence as sentence() keeps it, or NULL.  The start. */
const char *calibrate_failure(void);

/*
 * The shortest of three one-shots of so many counts, clock units: whatever holds an
 * interrupt off makes a shot longer, nothing makes it shorter.  `shot` makes one, out
 * of HLT if `halt`, and returns the clock units from its arming to its handler.
 * Interrupts off.
 */
uint64_t calibrate_shortest_shot(uint64_t (*shot)(uint32_t counts, bool halt), uint32_t counts);

/*
 * What a device's one-shots are like: `shot` makes one, from running code or out
 * of HLT, and returns its lateness, clock units.  Interrupts off.
 */
struct probe_lateness calibrate_lateness(uint64_t (*shot)(unsigned number, bool halt), bool halt);

/* Clock units as counts of a source, so many of them in 65536 counts, rounded up. */
uint32_t clocks_to_counts(uint64_t per_65536, uint64_t clocks);

/* What the running probe's handler costs and how soon after it a tick can come. */
struct handler_cost {
    uint64_t handler;   /* clock units, expiry to the end of IRETQ */
    uint64_t lead;      /* clock units, expiry to the arming of the next interval */
    uint32_t minimum;   /* counts of the source that is chosen, once it is */
};

/* NULL, or why not: the ticks stopped.  A sentence as sentence() keeps it. */
const char *calibrate_pit_handler(struct handler_cost *cost);

/*
 * The same of another one-shot, tick_source, that was found as `f`: its entry, its
 * arming and its clock are not the PIT's.  The start, interrupts on meanwhile.
 */
struct source_facts;
const char *calibrate_source_handler(struct handler_cost *cost, const struct source_facts *f);

#endif
