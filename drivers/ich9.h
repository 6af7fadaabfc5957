/* SPDX-License-Identifier: MIT */
/* The SMIs of Intel's ICH9 south bridge that software raises: the chipset of QEMU's q35. */
#pragma once

/*
 * Enable SMIs by a write to port 0xb2.  Returns NULL, or the reason why that is impossible: a
 * message without a full stop.  Does nothing where firmware has enabled these SMIs.  Task context,
 * interrupts off.
 */
const char *ich9_smi_enable(void);

/* Raise an SMI: the next instruction runs after its handler has returned.  Any context. */
void ich9_smi_raise(void);
