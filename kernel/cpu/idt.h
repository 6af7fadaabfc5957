/* SPDX-License-Identifier: MIT */
/* The interrupt descriptor table: which stub each vector enters, and how. */
#ifndef KERNEL_CPU_IDT_H
#define KERNEL_CPU_IDT_H

#include <stdbool.h>

/* Exceptions that come on stacks of their own, and that no task is to blame for. */
#define VECTOR_NMI           2
#define VECTOR_DOUBLE_FAULT  8
#define VECTOR_MACHINE_CHECK 18

/* Fill and load the table.  Interrupts off. */
void idt_init(void);

/* This vector by the common stub and interrupt_dispatch(), if it had its own. Interrupts off. */
void idt_set_common(unsigned vector);

/* The tick's vector by the entry of its own, as at first.  Interrupts off. */
void idt_set_tick(void);

/* The gates that kernel/tick/entry_cost.c needs, or none for them.  Interrupts off. */
void idt_set_stage(bool open);

/*
 * Have NMIs enter kernel/source/nmi.c, for they are ticks, or interrupt_dispatch(), where they
 * are counted and nothing else.  Interrupts off; an NMI may come meanwhile.
 */
void idt_set_nmi(bool ticks);

/* Have the calls of programs enter stubs that write the log (kernel/account/exact_time_log.h).  Interrupts off. */
void idt_set_logged_calls(void);

/* Until the next idt_init, return at once from whatever no exception is. Interrupts off. */
void idt_ignore_all(void);

#endif
