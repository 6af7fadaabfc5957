/* SPDX-License-Identifier: MIT */
/*
 * The cost of each entry into ring 0 and ring 1 and of the exit, outside the account's two
 * readings of the clock.  Measured by the account itself, on cells that nobody reads, from the
 * rings that the entries come from.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

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
