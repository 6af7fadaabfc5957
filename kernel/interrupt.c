/* SPDX-License-Identifier: MIT */
/*
 * Every interrupt and exception, once the stub has built its frame: account for
 * it, send it where it belongs, account for the way back.
 */
#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "kernel/account.h"
#include "kernel/calibrate.h"
#include "kernel/fault.h"
#include "kernel/interrupt.h"
#include "kernel/sched.h"
#include "kernel/serial.h"
#include "kernel/tick.h"
#include "kernel/timer.h"

#define EXCEPTIONS 32
#define VECTOR_NMI 2
#define IRQ_PIT    0
#define SPURIOUS   7 /* IRQ of either chip whose request may have vanished */

_Static_assert(TICK_VECTOR == PIC_MASTER_VECTOR + IRQ_PIT, "the 8259 delivers it there");

static struct interrupt_counts counts; /* ISR only */

void interrupt_read_counts(struct interrupt_counts *to)
{
    *to = counts;
}

static void device_irq(unsigned irq)
{
    if (irq % 8 == SPURIOUS && !pic_in_service(irq)) {
        counts.spurious++;
        if (irq >= 8)
            pic_eoi(2); /* the master saw its cascade line all the same */
        return;
    }
    if (irq == serial_irq())
        serial_interrupt();
    else
        counts.unexpected++;
    pic_eoi(irq);
}

/* Only an APIC can send it; unended it would block the system clock. */
static void unexpected(void)
{
    counts.unexpected++;
    lapic_eoi();
}

static void dispatch(const struct frame *f)
{
    switch (f->vector) {
    case LAPIC_TIMER_VECTOR:
        timer_interrupt();
        lapic_eoi();
        break;
    case LAPIC_SPURIOUS_VECTOR:
        counts.spurious++;
        break;
    default:
        if (f->vector >= PIC_MASTER_VECTOR && f->vector < PIC_MASTER_VECTOR + 16)
            device_irq((unsigned)f->vector - PIC_MASTER_VECTOR);
        else
            unexpected();
    }
}

/* Called by kernel/vectors.asm, interrupts off. */
void interrupt_dispatch(struct frame *f)
{
    account_settle(f);
    if (f->vector == TICK_VECTOR) {
        tick_interrupt(frame_cpu(f), f->tsc);
        return;
    }
    if (f->vector == EMPTY_VECTOR) {
        pic_eoi(IRQ_PIT);
        calibrate_leaving(f);
        return;
    }
    if (f->vector == VECTOR_NMI) { /* nobody asked for it, and it is no fault */
        counts.unexpected++;
        return;
    }
    if (f->vector < EXCEPTIONS) {
        fault_exception(f);
        return;
    }
    account_entry(f, account_cell(&current->account, MODE_INTERRUPT, 1));
    dispatch(f);
    sched_interrupt_exit();
    account_leave(f->cell);
}
