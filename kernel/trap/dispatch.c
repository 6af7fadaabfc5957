/* SPDX-License-Identifier: MIT */
/*
 * Every interrupt and exception, after its stub has built the frame: charge the time up to
 * the entry, call the handler that is registered (kernel/cpu/irq.h), charge the handler.
 */
#include "kernel/account/exact_time.h"
#include "kernel/cpu/idt.h"
#include "kernel/cpu/irq.h"
#include "kernel/sched/idle.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/timer.h"
#include "kernel/source/sampler.h"
#include "kernel/trace/trace.h"
#include "kernel/trap/dispatch.h"
#include "kernel/trap/exception.h"

#define EXCEPTIONS 32

/* The machine's clock at the entry; later, by what NMIs have taken since then. */
static uint64_t entered_at(const struct frame *f)
{
    return f->tsc + account.nmi_time;
}

void (*interrupt_way)(struct frame *f) = interrupt_dispatch;

/* An interrupt of the system clock may be lost: each other one looks. */
static inline void watch_clock(const struct frame *f)
{
    if (__builtin_expect(f->tsc >= timer_watch, 0) && f->rflags & RFLAGS_IF)
        timer_look(f->tsc, false);
}

void own_tick_and_look(const struct cpu_frame *f, uint64_t now)
{
    own_tick(f, now);
    if (f->rflags & RFLAGS_IF)
        timer_look(now, false);
}

/* Called by kernel/cpu/vectors.asm through interrupt_way, interrupts off. */
void interrupt_dispatch(struct frame *f)
{
    const uint64_t later = account_settle(f);
    const struct irq *const irq = &irqs[f->vector];
    bool switched;

    if (__builtin_expect(idle_since != 0, 0))
        idle_leave(f->tsc);
    if (irq->tick != 0) {
        irq->tick(frame_cpu(f), entered_at(f)); /* first: what comes before it delays the arming of the next */
        if (!irq->tick_shared) {
            watch_clock(f);
            if (later != 0)
                account_extend(&probe.monitor, later);
            return;
        }
    }
    watch_clock(f);
    if (f->vector < EXCEPTIONS) {
        exception_handle(f);
        return;
    }
    account_enter(f, account_cell(&current->account, MODE_INTERRUPT, 1));
    trace_event_at(TRACE_IRQ_ENTER, account.last, f->vector, f->rip);
    irq_handle((unsigned)f->vector, entered_at(f));
    switched = sched_interrupt_exit((unsigned)f->vector);
    account_exit(f->cell, later);
    if (switched)
        trace_event(TRACE_RESUME, account.last, trace_exit(0, account_cell_number(&current->account, f->cell)));
    else
        trace_event(TRACE_IRQ_EXIT, account.last,
                    trace_exit((uint32_t)f->vector, account_cell_number(&current->account, f->cell)));
}
