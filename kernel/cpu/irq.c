/* SPDX-License-Identifier: MIT */
/* The handlers by vector, and the interrupts that have none.  Intel 8259A data sheet; SDM 3A, 11.9. */
#include "kernel/cpu/irq.h"

#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "kernel/cpu/idt.h"

#define PIC_LINES   16u
#define SPURIOUS    7u /* the line of either 8259 that a vanished request is reported on */
#define CASCADE     2u

volatile uint64_t in_interrupt;  /* legend in irq_vectors.h */
struct irq irqs[256];            /* legend in irq.h */
static struct irq_counts counts; /* ISR only */
static bool ignored;             /* interrupts off */

void irq_register(unsigned vector, irq_handler *handler)
{
    irqs[vector].handler = handler;
}

static struct {
    unsigned vector;
    irq_tick_handler *look, *tick; /* NULL: nobody watches; the source of ticks has none */
} watched; /* interrupts off */

static void look_first(const struct cpu_frame *f, uint64_t now)
{
    watched.look(f, now);
    if (watched.tick != 0)
        watched.tick(f, now);
}

void irq_watch(unsigned vector, irq_tick_handler *look)
{
    if (watched.look != 0) {
        irqs[watched.vector].tick = watched.tick;
        irqs[watched.vector].tick_shared = watched.tick != 0;
    }
    watched.vector = vector;
    watched.look = look;
    watched.tick = irqs[vector].tick;
    if (look == 0)
        return;
    irqs[vector].tick = look_first;
    irqs[vector].tick_shared = true;
}

void irq_register_tick(unsigned vector, irq_tick_handler *tick, bool shared)
{
    if (watched.look != 0 && watched.vector == vector) {
        watched.tick = tick;
        return;
    }
    irqs[vector].tick = tick;
    irqs[vector].tick_shared = shared;
    if (vector == TICK_VECTOR) /* its source sets the entry */
        return;
    if (tick != 0 && !shared)
        idt_set_own_tick(vector, tick);
    else if (vector == idt_own_tick())
        idt_set_own_tick(0, 0);
}

void irq_ignore_spurious(bool ignore)
{
    ignored = ignore;
}

void irq_read_counts(struct irq_counts *to)
{
    *to = counts;
}

static void end_pic_line(unsigned irq)
{
    if (irq % 8 != SPURIOUS || pic_in_service(irq)) {
        counts.unexpected++;
        pic_eoi(irq);
        return;
    }
    counts.spurious[irq / 8] += !ignored;
    if (irq >= 8)
        pic_eoi(CASCADE); /* a spurious IRQ 15 is a real IRQ 2 to the first 8259 */
}

/* Without an end of interrupt the local APIC would block what comes through it later. */
static void end_unhandled(unsigned vector)
{
    if (vector - PIC_MASTER_VECTOR < PIC_LINES) {
        end_pic_line(vector - PIC_MASTER_VECTOR);
    } else if (vector == LAPIC_SPURIOUS_VECTOR) {
        counts.spurious[2]++; /* has no end of interrupt */
    } else {
        counts.unexpected++;
        if (lapic_in_use())
            lapic_eoi();
    }
}

void irq_handle(unsigned vector, uint64_t now)
{
    irq_handler *const handler = irqs[vector].handler;

    if (handler == 0)
        end_unhandled(vector);
    else
        counts.unexpected += !handler(now);
}
