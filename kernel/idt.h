/* SPDX-License-Identifier: MIT */
/* The interrupt descriptor table: which stub each vector enters, and how. */
#ifndef KERNEL_IDT_H
#define KERNEL_IDT_H

/* Fill and load the table.  Interrupts off. */
void idt_init(void);

/* Until the next idt_init, return at once from whatever no exception is. Interrupts off. */
void idt_ignore(void);

#endif
