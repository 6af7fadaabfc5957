/* SPDX-License-Identifier: MIT */
/*
 * The executive's side of exact accounting: changes of cell, and the moments
 * when interrupts are off.
 */
#ifndef KERNEL_ACCOUNT_EXACT_TIME_H
#define KERNEL_ACCOUNT_EXACT_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/io.h"
#include "kernel/account/exact_time_log.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/frame.h"
#include "probe/core/account.h"

extern struct account account;     /* changed with interrupts off, or restartably */
extern uint32_t account_on; /* enum account_kind; set once, before tasks run */

enum account_kind { ACCOUNT_OFF, ACCOUNT_KEPT, ACCOUNT_LOGGED };

/*
 * A way into a ring and back, clock units: from the gate to the stub's reading of the
 * clock, and from the last reading to the end of IRETQ.
 */
struct account_cost {
    uint64_t entry, exit;
};

/* Of a system call from ring 1 and from ring 3, and of a service: set once, by account_set_costs(). */
extern struct account_cost account_call_cost[2], account_service_cost;

/* All that is wanted of them later is worked out here, for settling divides nothing.  Interrupts off. */
void account_set_costs(const struct account_cost call[2], const struct account_cost *service);

/* What kernel/cpu/vectors.asm says of a change of cell that can be restarted. */
#define RESTART_OUT     1u /* it is that of a way out */
#define RESTART_SERVICE 2u /* in the stub of services, at ring 1; else of system calls, at ring 0 */

/*
 * From an entry to the stub's reading of the clock, and from the last reading to
 * the end of IRETQ, clock units: interrupts are off there too.  The latter of a tick
 * that can be masked apart.  Set once.
 */
extern uint64_t account_entry_cost, account_exit_cost, account_tick_exit_cost;

/*
 * The same of a section with interrupts off: from CLI to the reading of the clock,
 * and from the reading to the end of the instruction after STI.  Set once.
 */
extern uint64_t account_cli_cost, account_sti_cost;

/*
 * The account's clock (probe/core/account.h), of one moment: a tick between the two
 * readings is seen by what it stole.
 */
static inline uint64_t account_clock(void)
{
    uint64_t stolen, clock;

    do {
        stolen = account.nmi_time;
        clock = rdtsc() - stolen;
    } while (stolen != account.nmi_time);
    return clock;
}

/* Wholly, or its cold half would be called from among the straight way's instructions. */
#define ACCOUNT_INLINE inline __attribute__((always_inline))

/* Keeping it is the straight way of each change of cell, and what else there is stands apart. */
static ACCOUNT_INLINE bool account_is_kept(void)
{
    return __builtin_expect_with_probability(account_on == ACCOUNT_KEPT, 1, 1.0);
}

/*
 * Move to `cell` as of the entry into this frame: interrupts were off from there
 * on, a stub's length before the clock was read.  Interrupts off.
 */
static ACCOUNT_INLINE void account_enter(const struct frame *f, uint64_t *cell)
{
    uint64_t entry = f->tsc - account_entry_cost;

    if (entry < account.last)
        entry = account.last;
    if (account_is_kept())
        account_switch_nmi_safe(&account, entry, cell);
    else
        account_log_change(entry, cell);
}

/* Move to `cell` now.  Interrupts off. */
static ACCOUNT_INLINE void account_switch(uint64_t *cell)
{
    if (account_is_kept())
        account_switch_nmi_safe(&account, account_clock(), cell);
    else
        account_log_switch(0, cell);
}

/*
 * Move to the cell that an interrupt found, as of the end of its IRETQ: the
 * account runs ahead of the clock till then.  Last thing before the way out.
 * `later`: clock units that account_settle() found.
 * account_tick_exit: of a tick that can be masked, and that therefore steals nothing.
 */
static ACCOUNT_INLINE void account_exit(uint64_t *cell, uint64_t later)
{
    if (account_is_kept())
        account_switch_nmi_safe(&account, account_clock() + account_exit_cost + later, cell);
    else
        account_log_switch(account_exit_cost + later, cell);
}
static ACCOUNT_INLINE void account_tick_exit(uint64_t *cell)
{
    if (account_is_kept())
        account_switch_at(&account, rdtsc() + account_tick_exit_cost, cell);
    else
        account_log_switch(account_tick_exit_cost, cell);
}

/*
 * Move to the masked twin of the present cell, as of the CLI right before, and back,
 * as of the STI right behind.  Interrupts off.
 */
static ACCOUNT_INLINE void account_cli(void)
{
    uint64_t shut = account_clock() - account_cli_cost;

    if ((int64_t)(shut - account.last) < 0) /* the account may have run ahead to here */
        shut = account.last;
    if (account_is_kept())
        account_switch_nmi_safe(&account, shut, account.cell + 1);
    else
        account_log_change(shut, account.cell + 1);
}
static ACCOUNT_INLINE void account_sti(void)
{
    if (account_is_kept())
        account_switch_nmi_safe(&account, account_clock() + account_sti_cost, account.cell - 1);
    else
        account_log_switch(account_sti_cost, account.cell - 1);
}

/*
 * A section with interrupts off in task context at ring 0, told to the account.
 * Sections do not nest.
 */
static inline void irq_disable(void)
{
    cpu_interrupts_off();
    account_cli();
}
static inline void irq_enable(void)
{
    account_sti();
    cpu_interrupts_on();
}

/*
 * The same where interrupts may be off already, as at the start or within such a
 * section: then nothing is done.  True where it was begun here, for irq_restore().
 */
static inline bool irq_save(void)
{
    const bool on = (cpu_flags() & RFLAGS_IF) != 0;

    if (on)
        irq_disable();
    return on;
}
static inline void irq_restore(bool on)
{
    if (on)
        irq_enable();
}

/*
 * If the interrupted code was in the middle of changing the cell, put it where
 * it can go on from (kernel/cpu/vectors.asm).  If it was in a stub that has yet to account
 * for what it has done, account for it; if in one that has accounted for what it has yet
 * to do, return how long that is, clock units: the interrupted cell goes on so much
 * after the interrupt's end.  First thing in each interrupt.
 */
uint64_t account_settle(struct frame *f);

/* After a tick, which knows of nothing that account_settle() returned: the way out goes on.  Interrupts off. */
void account_extend(uint64_t *monitor, uint64_t later);

/*
 * The same for an interrupt that nothing can mask: code that was reading the
 * account's clock reads it anew, and nothing but the frame is written.
 */
void account_restart_read(struct cpu_frame *f);

/* Turn the stubs to the cells of this row: it is the running task's. Interrupts off. */
void account_select_row(struct account_row *row);

#endif
