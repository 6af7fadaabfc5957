/* SPDX-License-Identifier: MIT */
/*
 * The kernel's side of exact accounting: changes of cell, and sections with interrupts off.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "drivers/io.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/frame.h"
#include "probe/core/account.h"
#include "probe/core/probe.h"

/*
 * account=log: every change of cell in memory, in order.  Change number n of a window is entry n:
 * the account's generation counts the changes, so that a torn change that is repeated is one entry.
 */

/* A change of cell: `time` clock units were added to the cell that was left.  The assembly stubs write it too. */
struct account_log_entry {
    uint64_t time; /* negative where the account was ahead by more than the time until the change */
    uint64_t *cell;
};

/* A ring: new entries overwrite the oldest, and the reader counts those. */
struct account_log {
    struct account_log_entry *entry;
    uint64_t mask; /* of a generation, which is twice the number of a change */
};

extern struct account_log account_log; /* interrupts off; its entries restartably too */

/* The size of a log where `room` bytes of contiguous memory are free; 0: too little. */
uint64_t account_log_size(uint64_t room);

/* Have the stubs write into this memory, of a size that account_log_size() gave.  Once, before tasks run. */
void account_log_begin(void *memory, uint64_t bytes);

/*
 * As account_switch_nmi_safe() and probe_enter(), where account_on is not ACCOUNT_KEPT: with the
 * log an entry more, with events taken the event of the change; nothing where no account is kept.
 * Interrupts off.
 */
__attribute__((cold)) void account_log_change(uint64_t now, uint64_t *cell);
__attribute__((cold)) void account_log_switch(uint64_t ahead, uint64_t *cell); /* at account_clock() + ahead */
__attribute__((cold, noinline)) void account_log_tick_exit(uint64_t *cell); /* as account_tick_exit() */
/* to the masked counter, and back as account_sti() */
__attribute__((cold)) void account_log_cli(uint64_t shut);
__attribute__((cold)) void account_log_sti(void);
__attribute__((cold)) void account_log_enter(struct probe *p, const struct probe_event *e);

/*
 * The log is read while it is paused: changes are discarded meanwhile.  The window must be
 * closed, and the next one may begin only after account_log_resume().  Interrupts off.
 */
void account_log_pause(void);
void account_log_resume(void);

/* Entry `number` of the window; false where it was overwritten.  While the log is paused. */
bool account_log_read(uint64_t number, struct account_log_entry *to);

extern struct account account;     /* changed with interrupts off, or restartably */
extern uint32_t account_on; /* enum account_kind; KEPT and TRACED change with interrupts off, between windows */

/* TRACED: kept, and events are taken */
enum account_kind { ACCOUNT_OFF, ACCOUNT_KEPT, ACCOUNT_LOGGED, ACCOUNT_TRACED };

/*
 * The cost of an entry into a ring and of the exit, clock units: from the gate to the stub's
 * reading of the clock, and from the last reading to the end of IRETQ.
 */
struct account_cost {
    uint64_t entry, exit;
};

/* Of a system call from ring 1 and from ring 3, and of a service: set once, by account_set_costs(). */
extern struct account_cost account_call_cost[2], account_service_cost;

/* Set them, and compute what account_settle() needs, which may not divide.  Interrupts off. */
void account_set_costs(const struct account_cost call[2], const struct account_cost *service);

/* Flags of a restartable change of cell, in the table of kernel/cpu/cell_change.inc. */
#define RESTART_OUT     1u /* at an exit */
#define RESTART_SERVICE 2u /* in the stub of services, ring 1; else of system calls, ring 0 */
#define RESTART_TRACED  4u /* it takes an event too: its last store counts up what rsi points to */

/*
 * The same of an interrupt, clock units: interrupts are off there too.  The exit of a tick by
 * IRQ has a cost of its own.  Set once.
 */
extern uint64_t account_entry_cost, account_exit_cost, account_tick_exit_cost;

/*
 * Of a section with interrupts off, clock units: from CLI to the reading of the clock, and from
 * the reading to the end of the instruction after STI.  Set once.
 */
extern uint64_t account_cli_cost, account_sti_cost;

/* The cost of the instruction SYSCALL (kernel/linux/linux_entry.h).  Set before a program may execute it. */
extern struct account_cost account_instruction_cost;

/*
 * The account's clock (probe/core/account.h).  The loop repeats where an NMI came between the two
 * readings and added to `stolen`.  CPL 0, any context.
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

/* Always inline: else the compiler puts a call of the cold half into the hot path. */
#define ACCOUNT_INLINE inline __attribute__((always_inline))

/* ACCOUNT_KEPT is the hot path of each change of cell; the other kinds are out of line. */
static ACCOUNT_INLINE bool account_is_kept(void)
{
    return __builtin_expect_with_probability(account_on == ACCOUNT_KEPT, 1, 1.0);
}

/*
 * Move to `cell` as of the interrupt that built this frame: interrupts were off from there, the
 * cost of an entry before the clock was read.  account_enter_after(): of an entry with another cost.
 * Interrupts off.
 */
static ACCOUNT_INLINE void account_enter_after(const struct frame *f, uint64_t cost, uint64_t *cell)
{
    uint64_t entry = f->tsc - cost;

    if (entry < account.last)
        entry = account.last;
    if (account_is_kept())
        account_switch_nmi_safe(&account, entry, cell);
    else
        account_log_change(entry, cell);
}

static ACCOUNT_INLINE void account_enter(const struct frame *f, uint64_t *cell)
{
    account_enter_after(f, account_entry_cost, cell);
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
 * Move back to the cell that an interrupt found, as of the end of its IRETQ: until then the
 * account is ahead of the clock.  The last call before the exit.  `later`: clock units that
 * account_settle() returned.
 * account_tick_exit(): the same at the end of a tick by IRQ.  With those `stolen` is 0, so that
 * the TSC is the account's clock.
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
    else if (account_on != ACCOUNT_OFF)
        account_log_tick_exit(cell);
}

/*
 * Move to the masked counter of the present cell, as of the CLI right before; and back, as of
 * the STI right after.  Interrupts off.
 */
static ACCOUNT_INLINE void account_cli(void)
{
    uint64_t shut = account_clock() - account_cli_cost;

    if ((int64_t)(shut - account.last) < 0) /* the account may be ahead of the clock */
        shut = account.last;
    if (account_is_kept())
        account_switch_nmi_safe(&account, shut, account.cell + 1);
    else
        account_log_cli(shut);
}
static ACCOUNT_INLINE void account_sti(void)
{
    if (account_is_kept())
        account_switch_nmi_safe(&account, account_clock() + account_sti_cost, account.cell - 1);
    else
        account_log_sti();
}

/*
 * A section with interrupts off, charged as masked time.  Task context at ring 0; sections do
 * not nest.
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
 * The same where interrupts may be off already, at the start or within such a section: then
 * nothing is done.  True where the section began here, for irq_restore().
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
 * Settle a change of cell that this interrupt has torn: set RIP to where it can go on
 * (kernel/cpu/cell_change.inc).  In a stub that has not charged its instructions yet, charge them.
 * In a stub that has charged instructions which it has not executed yet, return their time,
 * clock units: the interrupted cell is charged so much later.  The first call in each interrupt.
 */
uint64_t account_settle(struct frame *f);

/* After a tick, whose handler does not know what account_settle() returned: add that to the exit.  Interrupts off. */
void account_extend(uint64_t *monitor, uint64_t later);

/* The same of another interrupt, to its cell of the running task's row.  Interrupts off. */
void account_extend_interrupt(uint64_t *interrupt, uint64_t later);

/*
 * For an NMI: code that was reading the account's clock starts the reading again.  Only the
 * frame is changed.
 */
void account_restart_read(struct cpu_frame *f);

/* Make the stubs charge the cells of this row, the running task's.  Interrupts off. */
void account_select_row(struct account_row *row);
