/* SPDX-License-Identifier: MIT */
/*
 * A path through the kernel of which a tenth runs with interrupts off, in
 * functions whose shares are known: what a tick that interrupts shall see.
 */
#ifndef KERNEL_WORKLOAD_CLI_SHADOW_LOAD_H
#define KERNEL_WORKLOAD_CLI_SHADOW_LOAD_H

#include <stdint.h>

#define CLI_SHADOW_PART 10 /* one part of so many has interrupts off */

/* Go the path once; all of it takes about `units` of kernel/abi/spin_loop.h.  Task context. */
void cli_shadow_run(uint64_t units);

#endif
