/* SPDX-License-Identifier: MIT */
/* The SMIs of Intel's ICH9 south bridge that software raises: the chipset of QEMU's q35. */
#ifndef DRIVERS_ICH9_H
#define DRIVERS_ICH9_H

/*
 * Let a write to port 0xb2 raise an SMI.  NULL, or why it cannot: a message without its full
 * stop.  Does nothing where firmware has SMIs enabled.  Task context, interrupts off.
 */
const char *ich9_smi_enable(void);

/* Raise an SMI: the next instruction runs after its handler has returned.  Any context. */
void ich9_smi_raise(void);

#endif
