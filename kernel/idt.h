/* SPDX-License-Identifier: MIT */
/* The interrupt descriptor table: which stub each vector enters, and how. */
#ifndef KERNEL_IDT_H
#define KERNEL_IDT_H

/* Fill and load the table.  Once, interrupts off. */
void idt_init(void);

#endif
