/* SPDX-License-Identifier: MIT */
/*
 * Time that nobody in the image has, made to be measured: SMIs that software
 * raises, and a handler of ours for them, where no firmware has its own.  Of a
 * tick, an NMI included, nothing comes before the handler has returned.
 */
#ifndef KERNEL_WORKLOAD_SMI_H
#define KERNEL_WORKLOAD_SMI_H

#include <stdint.h>

/*
 * Put the handler where the processor looks for it after a reset, and prove it by
 * one SMI.  NULL, or what is lacking.  Interrupts off, before tasks run.
 */
const char *smi_detect(void);

/*
 * Raise one that lasts so many clock units.  Returns those of all so far, as the
 * handler counts them from its first instruction to its last.  Task context.
 */
uint64_t smi_raise(uint64_t clocks);

#endif
