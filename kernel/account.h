/* SPDX-License-Identifier: MIT */
/*
 * The executive's side of exact accounting: changes of cell, and the moments
 * when interrupts are off.
 */
#ifndef KERNEL_ACCOUNT_H
#define KERNEL_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/io.h"
#include "kernel/cpu.h"
#include "kernel/frame.h"
#include "probe/account.h"

extern struct account account;     /* changed with interrupts off, or restartably */
extern uint32_t account_on; /* set once, before tasks run */

/*
 * From an entry to the stub's reading of the clock, and from the last reading to
 * the end of IRETQ, clock units: interrupts are off there too.  Set once.
 */
extern uint64_t account_stub, account_tail;

/*
 * The account's clock (probe/account.h), of one moment: a tick between the two
 * readings is seen by what it stole.
 */
static inline uint64_t account_clock(void)
{
    uint64_t stolen, clock;

    do {
        stolen = account.stolen;
        clock = rdtsc() - stolen;
    } while (stolen != account.stolen);
    return clock;
}

/*
 * Move to `cell` as of the entry into this frame: interrupts were off from there
 * on, a stub's length before the clock was read.  Interrupts off.
 */
static inline void account_entry(const struct frame *f, uint64_t *cell)
{
    uint64_t entry = f->tsc - account_stub;

    if (entry < account.last)
        entry = account.last;
    if (account_on)
        account_change(&account, entry, cell);
}

/* Move to `cell` now.  Interrupts off. */
static inline void account_now(uint64_t *cell)
{
    if (account_on)
        account_change(&account, account_clock(), cell);
}

/*
 * Move to the cell that an interrupt found, as of the end of its IRETQ: the
 * account runs ahead of the clock till then.  Last thing before the way out.
 * account_leave: of a tick that can be masked, and that therefore steals nothing.
 */
static inline void account_return(uint64_t *cell)
{
    if (account_on)
        account_change(&account, account_clock() + account_tail, cell);
}
static inline void account_leave(uint64_t *cell)
{
    if (account_on)
        account_to(&account, rdtsc() + account_tail, cell);
}

/* Move to the masked twin of the present cell, and back.  Interrupts off. */
static inline void account_masked(void)
{
    account_now(account.cell + 1);
}
static inline void account_unmasked(void)
{
    account_now(account.cell - 1);
}

/*
 * A section with interrupts off in task context at ring 0, told to the account.
 * Sections do not nest.
 */
static inline void masked_begin(void)
{
    cpu_interrupts_off();
    account_masked();
}
static inline void masked_end(void)
{
    account_unmasked();
    cpu_interrupts_on();
}

/*
 * If the interrupted code was in the middle of changing the cell, put it where
 * it can go on from (kernel/vectors.asm).  First thing in each interrupt.
 */
void account_settle(struct frame *f);

/*
 * The same for an interrupt that nothing can mask: code that was reading the
 * account's clock reads it anew, and nothing but the frame is written.
 */
void account_reread(struct cpu_frame *f);

/* Turn the stubs to the cells of this row: it is the running task's. Interrupts off. */
void account_row(struct account_row *row);

#endif
