/* SPDX-License-Identifier: MIT */
/* The interrupt descriptor table: which stub each vector enters, and how. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/irq.h"

/* Vectors with stacks of their own; no task causes them. */
#define VECTOR_DEBUG         1
#define VECTOR_NMI           2
#define VECTOR_DOUBLE_FAULT  8
#define VECTOR_MACHINE_CHECK 18

/* Fill and load the table.  Interrupts off. */
void idt_init(void);

/* Have a vector enter the common stub, and interrupt_dispatch().  Interrupts off. */
void idt_set_common(unsigned vector);

/*
 * Redirect a vector, 32 at least, to the stub that marks it as intercepted, or give it back to the
 * stub that it has else.  Interrupts off.
 */
void idt_set_intercepted(unsigned vector, bool on);

/* Have IRQ 0 enter the stub that calls source_pit_interrupt(), as after idt_init().  Interrupts off. */
void idt_set_tick(void);

/*
 * Have one vector of another source's ticks, 0: none, enter a stub of ticks that calls `handler`: it makes no whole
 * frame, and `in_interrupt` stays as it is.  The common one while RBP is kept or idt_set_ticks_common() was called.
 * Interrupts off.
 */
void idt_set_own_tick(unsigned vector, irq_tick_handler *handler);
unsigned idt_own_tick(void);
extern irq_tick_handler *own_tick; /* that handler */

/*
 * Have all ticks by interrupt come by the common stub, whatever is set later, as those of two sources do.
 * Once, at the start.
 */
void idt_set_ticks_common(void);

/*
 * Have IRQ 0, where the PIT's tick has an entry of its own, enter user_stacks_tick() (kernel/monitor/user_stacks.c),
 * and that entry and the NMI's keep RBP of what they interrupt.  Interrupts off, no tick under way.
 */
void idt_keep_rbp(bool on);

extern uint64_t tick_rbp; /* of the last one: written by kernel/cpu/vectors.asm, read by the tick's handler */

/* Set or remove the gates that kernel/tick/entry_cost.c needs.  Interrupts off. */
void idt_set_stage(bool open);

/*
 * Have NMIs enter kernel/source/nmi.c, where they are ticks, or the common stub, where they are
 * only counted.  Interrupts off; an NMI may come meanwhile.
 */
void idt_set_nmi(bool ticks);

/*
 * Have them, where they are ticks, look first for the entry of SYSCALL that has no stack yet.  Once, interrupts off.
 */
void idt_check_stack_at_nmi(void);

/* Have system calls and services enter these variants of their stubs (kernel/cpu/call_stubs.h).  Interrupts off. */
void idt_set_calls(unsigned of_syscalls, unsigned of_services);

/* Until the next idt_init(), return at once from every vector that is no exception.  Interrupts off. */
void idt_ignore_all(void);

/* The names of the processor's exceptions.  Intel SDM 3A, table 6-1. */

/* The cause in words, e.g. "page fault"; never NULL.  Any context. */
const char *exception_name(uint32_t vector);
