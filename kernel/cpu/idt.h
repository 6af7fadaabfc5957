/* SPDX-License-Identifier: MIT */
/* The interrupt descriptor table: which stub each vector enters, and how. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

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
 * common stub.  Interrupts off.
 */
void idt_set_intercepted(unsigned vector, bool on);

/* Have the tick's vector enter its own stub, as after idt_init().  Interrupts off. */
void idt_set_tick(void);

/*
 * Have IRQ 0, where the tick has an entry of its own, enter user_stacks_tick() (kernel/monitor/user_stacks.c), and that entry
 * and the NMI's keep RBP of what they interrupt.  Interrupts off, no tick under way.
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

/* Have them, where they are ticks, look first for the entry of SYSCALL that has no stack yet.  Once, interrupts off. */
void idt_check_stack_at_nmi(void);

/* Have system calls and services enter these variants of their stubs (kernel/cpu/call_stubs.h).  Interrupts off. */
void idt_set_calls(unsigned of_syscalls, unsigned of_services);

/* Until the next idt_init(), return at once from every vector that is no exception.  Interrupts off. */
void idt_ignore_all(void);
