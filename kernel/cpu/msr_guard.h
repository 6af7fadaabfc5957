/* SPDX-License-Identifier: MIT */
/* Reading a model-specific register that may not exist: its exception is caught. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/frame.h"

/* Read it; false where the processor refuses.  CPL 0, after cpu_init(), not within an exception. */
bool msr_read_guarded(uint32_t msr, uint64_t *value);

/* Have the refused instruction go on behind itself: false where the exception is another's.  Exception context. */
bool msr_guard_recover(struct frame *f);
