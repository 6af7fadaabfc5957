/* SPDX-License-Identifier: MIT */
/*
 * The shadow of CLI: a tick that becomes due while interrupts are off is taken right
 * behind STI.  A profile by IRQ charges the time under a lock to the unlock.
 *
 * The functions and their thousandths of the path, by design:
 *
 *   shadow_lock     4   interrupts are switched off at its end
 *   shadow_find    48   off
 *   shadow_link    32   off
 *   shadow_mark    16   off
 *   shadow_unlock   4   interrupts are switched on at its begin
 *   shadow_copy   500   on
 *   shadow_sum    250   on
 *   shadow_check  146   on
 *
 * The exact shares are those of executed instructions: a unit is two instructions, and
 * a function has about a dozen besides.  `noipa` keeps each a function of its own.
 */
#include "kernel/load/loads.h"

#include "kernel/abi/spin_loop.h"
#include "kernel/account/exact_time.h"

#define APART __attribute__((noipa))

void shadow_lock(uint64_t part), shadow_find(uint64_t part), shadow_link(uint64_t part),
    shadow_mark(uint64_t part), shadow_unlock(uint64_t part), shadow_copy(uint64_t part),
    shadow_sum(uint64_t part), shadow_check(uint64_t part);

/* `part`: units in a thousandth of the path. */
APART void shadow_lock(uint64_t part)
{
    spin(4 * part);
    irq_disable();
}

APART void shadow_find(uint64_t part)
{
    spin(48 * part);
}

APART void shadow_link(uint64_t part)
{
    spin(32 * part);
}

APART void shadow_mark(uint64_t part)
{
    spin(16 * part);
}

/* STI takes effect one instruction later; the work behind it is interruptible. */
APART void shadow_unlock(uint64_t part)
{
    irq_enable();
    spin(4 * part);
}

APART void shadow_copy(uint64_t part)
{
    spin(500 * part);
}

APART void shadow_sum(uint64_t part)
{
    spin(250 * part);
}

APART void shadow_check(uint64_t part)
{
    spin(146 * part);
}

APART void cli_shadow_run(uint64_t units)
{
    const uint64_t part = units / 1000;

    shadow_lock(part);
    shadow_find(part);
    shadow_link(part);
    shadow_mark(part);
    shadow_unlock(part);
    shadow_copy(part);
    shadow_sum(part);
    shadow_check(part);
}
