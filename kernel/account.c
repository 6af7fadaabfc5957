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

void account_settle(struct frame *f)
{
    if (f->rip - (uint64_t)restart_text >= (uint64_t)(restart_text_end - restart_text))
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
    if (f->rip - (uint64_t)interrupt_clock < (uint64_t)(interrupt_clock_end - interrupt_clock))
        f->rip = (uint64_t)interrupt_clock;
    if (f->rip - (uint64_t)restart_text >= (uint64_t)(restart_text_end - restart_text))
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
