/* SPDX-License-Identifier: MIT */
/*
 * Exact accounting: the state that the stubs change, and the settling of a
 * change that an interrupt tore (restartable sequences, after Bershad, Redell
 * and Ellis, "Fast Mutual Exclusion for Uniprocessors", 1992).
 */
#include "kernel/account.h"

static uint64_t nowhere; /* time before the first window belongs to no cell */

struct account account = { .cell = &nowhere };
uint32_t account_on;
uint64_t account_stub, account_tail, account_shut, account_open;

struct restart {
    uint64_t begin, store, end;
};

extern const struct restart restart_table[], restart_table_end[];
extern const uint8_t restart_text[], restart_text_end[];
extern const uint8_t interrupt_clock[], interrupt_clock_end[];

/*
 * Whether the frame's code is the stub whose address its RIP has.  A program at ring 3 may jump
 * to any address, and is interrupted or faults there with registers of its own choice.  Called
 * only when RIP is such an address, so that no tick pays for it.
 */
static bool is_ours(uint64_t cs)
{
    return frame_ring(cs) != 3;
}

static bool in_restart_text(uint64_t rip)
{
    return rip - (uint64_t)restart_text < (uint64_t)(restart_text_end - restart_text);
}

void account_settle(struct frame *f)
{
    if (!in_restart_text(f->rip) || !is_ours(f->cs))
        return;
    for (const struct restart *r = restart_table; r < restart_table_end; r++) {
        if (f->rip < r->begin || f->rip >= r->end)
            continue;
        if (f->rip <= r->store) {
            f->rip = r->begin;
            return;
        }
        account.last = f->rax;
        account.cell = (uint64_t *)f->rbx;
        account.generation++;
        f->cell = account.cell;
        f->rip = r->end;
        return;
    }
}

void account_reread(struct cpu_frame *f)
{
    if (f->rip - (uint64_t)interrupt_clock < (uint64_t)(interrupt_clock_end - interrupt_clock) && is_ours(f->cs))
        f->rip = (uint64_t)interrupt_clock;
    if (!in_restart_text(f->rip) || !is_ours(f->cs))
        return;
    for (const struct restart *r = restart_table; r < restart_table_end; r++)
        if (f->rip >= r->begin && f->rip <= r->store)
            f->rip = r->begin;
}

void account_row(struct account_row *row)
{
    account.kernel = account_cell(row, MODE_KERNEL, 0);
    account.supervisor = account_cell(row, MODE_SUPERVISOR, 0);
}
