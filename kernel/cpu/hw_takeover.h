/* SPDX-License-Identifier: MIT */
/* Taking the machine over from whatever ran before. */
#ifndef KERNEL_CPU_HW_TAKEOVER_H
#define KERNEL_CPU_HW_TAKEOVER_H

/*
 * Quiet every interrupt source, then bring the 8259 and the local APIC up so
 * that the PIT's IRQ 0 reaches the CPU once it is unmasked.  Once, interrupts
 * off, IDT loaded.
 */
void hw_takeover(void);

#endif
