/* SPDX-License-Identifier: MIT */
/* Measures what ticks, entries into ring 0 and walks along callers cost; the start does, before a window begins. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/source/sampler.h"
#include "kernel/source/source.h"
#include "probe/text/refusal.h"

/* What the handler of a tick costs, measured once at the start by real ticks. */

/*
 * Of the PIT by the delivery in force.  False where the ticks stopped.  The start, the
 * monitors in force; interrupts on meanwhile.
 */
bool handler_cost_of_pit(struct handler_cost *cost, struct refusal *why);

/*
 * Of tick_source, another one-shot, that was detected as `f`: its entry, its arming and
 * its clock are not the PIT's.  Likewise.
 */
bool handler_cost_of_source(struct handler_cost *cost, const struct source_facts *f, struct refusal *why);

/*
 * What each of up to `room` ticks of tick_source takes of the code that it interrupts, clock units, into `took`.
 * Returns their number: 0 of a source that repeats one interval, or where the ticks stopped.  The schedule in force
 * stays.  After tick_plan_apply(), before the first window; interrupts off, and on meanwhile.
 */
unsigned handler_cost_series(uint64_t *took, unsigned room);

/* Only `tick`, of tick_source, which repeats one interval and has 1024 Hz among its rates.  Likewise. */
bool handler_cost_of_periodic(struct handler_cost *cost, const struct source_facts *f, struct refusal *why);

/*
 * The cost of each entry into ring 0 and ring 1 and of the exit, outside the account's two
 * readings of the clock.  Measured by the account itself, on cells that nobody reads, from the
 * rings that the entries come from.
 */

struct entry_costs {
    uint64_t empty;      /* an interrupt whose handler does nothing, INT to IRETQ, clock units */
    uint64_t entry, exit; /* of an interrupt: struct account_cost */
    uint64_t tick_exit;  /* of a tick, whose exit is another one */
    uint64_t plain_exit, plain_nmi_exit; /* of a usual tick of the PIT, by IRQ and as NMI */
};

/*
 * Measure them.  Sets account_call_cost and account_service_cost; those of an interrupt are
 * returned.  `kind`: the account that will be kept (enum account_kind, not off), which decides
 * the stubs.  False where there is no memory for a program at ring 3.  Once, at the start,
 * interrupts off, before anything is accounted.
 */
bool entry_cost_measure(struct entry_costs *costs, uint32_t kind);

/*
 * Measure the instruction SYSCALL, before a program may execute it: sets account_instruction_cost.  False where there
 * is no memory.  Once, after entry_cost_measure() and syscall_instruction_init(), interrupts off,
 * while no time is accounted.
 */
bool entry_cost_measure_instruction(void);

/*
 * What stack= adds to a tick at most, after the next one is armed: no interval may be shorter.  Measured by the walk
 * itself (kernel/mm/user_memory.h), through memory that makes it as long as any program can.
 */

/*
 * The cost with so many callers, clock units; 0 callers: 0.  Measured when a number is asked for first.  False where
 * there is no memory for it.  The start, interrupts off; and task PROBE.
 */
bool walk_cost(unsigned callers, uint64_t *clocks, struct refusal *why);
