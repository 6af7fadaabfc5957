/* SPDX-License-Identifier: MIT */
/* Taking the machine over from firmware or a loader. */
#pragma once

/*
 * Disable every interrupt source, then initialise the 8259 and the local APIC so that the PIT's
 * IRQ 0 reaches the CPU once it is unmasked.  Once, interrupts off, IDT loaded.
 */
void hw_takeover(void);
