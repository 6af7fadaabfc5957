/* SPDX-License-Identifier: MIT */
/*
 * Every interrupt and exception, once the stub has built its frame: account for
 * it, send it where it belongs, account for the way back.
 */
#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "drivers/rtc.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/trap.h"
#include "kernel/io/stream_uart.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/timer.h"
#include "kernel/source/nmi.h"
#include "kernel/source/source_pit.h"
#include "kernel/tick/window.h"
#include "kernel/trap/exception.h"
#include "kernel/workload/irq_storm_load.h"

#define EXCEPTIONS 32
#define VECTOR_NMI 2
#define IRQ_PIT    0
#define SPURIOUS   7 /* IRQ of either chip whose request may have vanished */

_Static_assert(TICK_VECTOR == PIC_MASTER_VECTOR + IRQ_PIT, "the 8259 delivers it there");

volatile uint64_t in_interrupt;   /* legend in interrupt.h */
static struct interrupt_counts counts; /* ISR only */

void interrupt_read_counts(struct interrupt_counts *to)
{
    *to = counts;
}

static void device_irq(unsigned irq)
{
    if (irq % 8 == SPURIOUS && !pic_in_service(irq)) {
        counts.spurious[irq / 8]++;
        if (irq >= 8)
            pic_eoi(2); /* the master saw its cascade line all the same */
        return;
    }
    if (irq == RTC_IRQ && irq_storm_interrupt())
        return;
    if (irq == stream_uart_irq())
        stream_uart_interrupt();
    else
        counts.unexpected++;
    pic_eoi(irq);
}

/* Only an APIC can send it; unended it would block what comes by it. */
static void unexpected(void)
{
    counts.unexpected++;
    if (lapic_in_use())
        lapic_eoi();
}

/* The machine's clock at the entry, or what an NMI has taken since then later. */
static uint64_t entered_at(const struct frame *f)
{
    return f->tsc + account.nmi_time;
}

static void dispatch(const struct frame *f)
{
    if (f->vector == timer_vector())
        counts.unexpected += !timer_interrupt(entered_at(f));
    else if (f->vector == LAPIC_SPURIOUS_VECTOR)
        counts.spurious[2]++;
    else if (f->vector >= PIC_MASTER_VECTOR && f->vector < PIC_MASTER_VECTOR + 16)
        device_irq((unsigned)f->vector - PIC_MASTER_VECTOR);
    else if (f->vector == EMPTY_VECTOR)
        pic_eoi(IRQ_PIT);
    else
        unexpected();
}

/* A tick's own, or the system clock's where the tick is that. */
static inline bool is_tick(const struct frame *f, const struct source *s)
{
    if (s == 0 || s->interrupt == 0)
        return false;
    return f->vector == (s->vector != 0 ? s->vector : timer_vector());
}

/* True where no more is to do.  The first source first: where it is alone it pays for no second. */
static inline bool tick(const struct frame *f)
{
    const struct source *s = tick_source;

    if (!is_tick(f, s)) {
        s = tick_source2;
        if (!is_tick(f, s))
            return false;
    }
    s->interrupt(frame_cpu(f), entered_at(f));
    return s->vector != 0;
}

/* The same, or the PIT's interrupt, which its source takes in any case. */
static inline bool tick_or_pit(const struct frame *f)
{
    if (tick(f))
        return true;
    if (f->vector != TICK_VECTOR)
        return false;
    source_pit_interrupt(frame_cpu(f), entered_at(f));
    return true;
}

/* Called by kernel/cpu/vectors.asm, interrupts off. */
void interrupt_dispatch(struct frame *f)
{
    const uint64_t later = account_settle(f);

    if (tick_or_pit(f)) {
        if (later != 0)
            account_extend(&probe.monitor, later);
        return;
    }
    if (f->vector == VECTOR_NMI) { /* ticks are none, nobody asked for it, and it is no fault */
        nmi_count_stray();
        return;
    }
    if (f->vector < EXCEPTIONS) {
        exception_handle(f);
        return;
    }
    account_enter(f, account_cell(&current->account, MODE_INTERRUPT, 1));
    dispatch(f);
    sched_interrupt_exit();
    account_exit(f->cell, later);
}
