/* SPDX-License-Identifier: MIT */
/*
 * Random bytes of a process, by ChaCha8 from seed= with a nonce of their own: the same at each boot with a given
 * seed, and they tell nothing about the ticks, which come from the same seed.
 */
#pragma once

#include "kernel/process/process.h"

#define RANDOM_BLOCK 64u /* bytes of a block of the generator */

/* The next bytes.  The process' own task, or before it runs. */
void random_bytes(struct process *p, uint8_t *to, uint64_t bytes);
