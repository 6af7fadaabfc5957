/* SPDX-License-Identifier: MIT */
/*
 * Settles a change of cell that an interrupt has torn (restartable sequences, after Bershad, Redell
 * and Ellis, "Fast Mutual Exclusion for Uniprocessors", 1992).
 */
#include "kernel/account/exact_time.h"

#include "kernel/trace/trace.h"

#define CHANGES 24 /* entries and exits, of system calls and services, in each variant (kernel/cpu/call_stubs.h) */

/* mean time of an instruction of each, from ring 1 and from ring 3, 32.32; set once */
static uint64_t step_q32[CHANGES][2];

/* A restartable change of cell in a stub: a row of the table in kernel/cpu/cell_change.inc. */
struct restart {
    uint64_t begin, read, store, end; /* read: the clock */
    /* the first instruction of an entry; the address after the last one of an exit */
    uint64_t gate, done;
    uint64_t flags;                     /* RESTART_ bits */
};

extern const struct restart restart_table[], restart_table_end[];
/* by byte of the text: the instructions of entries and exits that begin before it */
extern const uint16_t restart_steps[];
extern const uint8_t restart_text[], restart_text_end[];
extern const uint8_t interrupt_clock[], interrupt_clock_end[];

/*
 * Whether a frame whose RIP is in a stub is that of the stub.  A program at ring 3 can jump to
 * that address and be interrupted there, with any registers.  Called only when RIP is in a stub,
 * so that other ticks pay nothing for it.
 */
static bool is_stub(uint64_t cs)
{
    return frame_ring(cs) != 3;
}

static bool in_restart_text(uint64_t rip)
{
    return rip - (uint64_t)restart_text < (uint64_t)(restart_text_end - restart_text);
}

/*
 * The row of the stub's half that this address is in, from the gate on or up to the end of the exit; NULL: of none.
 * The table has the order of the addresses, and the ordinary stubs are first: a tick in them looks at few rows.
 */
static const struct restart *restart_at(uint64_t rip, uint64_t cs)
{
    if (!in_restart_text(rip) || !is_stub(cs))
        return 0;
    for (const struct restart *r = restart_table; r < restart_table_end; r++) {
        const bool leaves = (r->flags & RESTART_OUT) != 0;

        if (rip < (leaves ? r->begin : r->gate))
            return 0;
        if (rip < (leaves ? r->done : r->end))
            return r;
    }
    return 0;
}

/* Instructions in [low, high); both are addresses of instructions. */
static uint64_t steps(uint64_t low, uint64_t high)
{
    return (uint64_t)restart_steps[high - (uint64_t)restart_text] - restart_steps[low - (uint64_t)restart_text];
}

void account_set_costs(const struct account_cost call[2], const struct account_cost *service)
{
    account_call_cost[0] = call[0];
    account_call_cost[1] = call[1];
    account_service_cost = *service;
    for (unsigned i = 0; i < CHANGES; i++)
        for (unsigned from = 0; from < 2; from++) {
            const struct restart *const r = &restart_table[i];
            const struct account_cost *const cost = r->flags & RESTART_SERVICE ? service : &call[from];

            step_q32[i][from] = r->flags & RESTART_OUT ? (cost->exit << 32) / steps(r->read, r->done)
                                                    : (cost->entry << 32) / steps(r->gate, r->read);
        }
}

/* The time of so many instructions of a stub.  The caller's frame is at the top of the task's ring-0 stack. */
static uint64_t steps_to_clocks(const struct restart *r, uint64_t count)
{
    const struct cpu_frame *const caller = (const struct cpu_frame *)tss.rsp[0] - 1;
    const unsigned from = r->flags & RESTART_SERVICE ? 0 : frame_ring(caller->cs) / 2;

    return (step_q32[r - restart_table][from] * count + (1ull << 31)) >> 32;
}

static void change(uint64_t at, uint64_t *cell)
{
    if (account_is_kept())
        account_switch_nmi_safe(&account, at, cell);
    else
        account_log_change(at, cell);
}

/* The task goes on in this cell of its row, which no other event tells. */
static void trace_cell_change(const uint64_t *cell)
{
    trace_event(TRACE_RESUME, account.last, trace_exit(0, (unsigned)(cell - (account.kernel - 2 * MODE_KERNEL))));
}

/*
 * At an entry the time since the gate belongs to the kernel and is not charged yet: that of the
 * instructions that the stub has executed.  Time charged for an earlier interrupt of the same
 * entry stays.
 */
static void settle_entry(const struct restart *r, const struct frame *f)
{
    uint64_t *const cell = account.cell;
    const uint64_t now = f->tsc - account_entry_cost;
    uint64_t from;

    if (account_on == ACCOUNT_OFF || now <= account.last)
        return;
    from = now - steps_to_clocks(r, steps(r->gate, f->rip));
    if (from < account.last)
        from = account.last;
    change(from, r->flags & RESTART_SERVICE ? account.supervisor : account.kernel);
    trace_cell_change(account.cell);
    change(now, cell);
    trace_cell_change(cell);
}

/* At an exit the account is ahead, to the end of IRETQ: by the instructions that are left. */
static uint64_t remaining_exit(const struct restart *r, const struct frame *f)
{
    return steps_to_clocks(r, steps(f->rip, r->done));
}

/* Up to `store` nothing was written: start again.  After it two stores are missing: do them. */
static void settle_change(const struct restart *r, struct frame *f)
{
    if (f->rip < r->begin || f->rip >= r->end)
        return;
    if (f->rip <= r->store) {
        f->rip = r->begin;
        return;
    }
    account.last = f->rax;
    account.cell = (uint64_t *)f->rbx;
    account.generation += account.generation & 1; /* with an event this store is not the last one */
    if (r->flags & RESTART_TRACED)
        ++*(uint64_t *)f->rsi;
    f->cell = account.cell;
    f->rip = r->end;
}

static uint64_t settle(const struct restart *r, struct frame *f)
{
    if (!(r->flags & RESTART_OUT) && f->rip > r->gate && f->rip <= r->store)
        settle_entry(r, f);
    settle_change(r, f);
    return r->flags & RESTART_OUT && f->rip >= r->end && account_on != ACCOUNT_OFF ? remaining_exit(r, f) : 0;
}

uint64_t account_settle(struct frame *f)
{
    const struct restart *const r = restart_at(f->rip, f->cs);

    if (r == 0 || frame_ring(f->cs) != (r->flags & RESTART_SERVICE ? 1 : 0))
        return 0;
    return settle(r, f);
}

void account_extend_interrupt(uint64_t *interrupt, uint64_t later)
{
    uint64_t *const cell = account.cell;

    change(account.last, interrupt);
    trace_cell_change(interrupt);
    change(account.last + later, cell);
    trace_cell_change(cell);
}

void account_extend(uint64_t *monitor, uint64_t later)
{
    uint64_t *const cell = account.cell;

    change(account.last, monitor);
    trace_event(TRACE_TICK_ENTER, account.last, 0);
    change(account.last + later, cell);
    trace_event(TRACE_TICK_EXIT, account.last, 0);
}

void account_restart_read(struct cpu_frame *f)
{
    const struct restart *r;

    if (f->rip - (uint64_t)interrupt_clock < (uint64_t)(interrupt_clock_end - interrupt_clock) && is_stub(f->cs))
        f->rip = (uint64_t)interrupt_clock;
    r = restart_at(f->rip, f->cs);
    if (r != 0 && f->rip >= r->begin && f->rip <= r->store)
        f->rip = r->begin;
}
