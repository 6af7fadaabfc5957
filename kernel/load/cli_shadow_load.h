/* SPDX-License-Identifier: MIT */
/*
 * A path through the kernel, in functions whose shares of its time are known; a tenth
 * of it runs with interrupts off.  It shows which functions a sampler by IRQ misses.
 */
#pragma once

#include <stdint.h>

#define CLI_SHADOW_PART 10 /* one in so many parts runs with interrupts off */

/* Run the path once; it takes about `units` of kernel/abi/spin_loop.h.  Task context. */
void cli_shadow_run(uint64_t units);
