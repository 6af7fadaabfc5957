/* SPDX-License-Identifier: MIT */
/*
 * Vector registers beyond SSE: which of them a program may have, and how they are kept.  Intel SDM 1, chapter 13.
 * Where the CPU has no XSAVE there is nothing here to do, and FXSAVE (kernel/sched/sched.c) keeps all.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether the CPU has XSAVE; then one area takes so many bytes, at an address that is a multiple of 64.  Any context.
 */
bool extended_state_exists(void);
uint64_t extended_state_bytes(void);

/*
 * Find out which components there are, and how large the area is.  Once, interrupts off;
 * CR4.OSXSAVE is off again after it.
 */
void extended_state_init(void);

/* Make a zeroed area hold the initial state, which a new program gets.  Any context. */
void extended_state_initial(void *area);

/*
 * The running program's registers out of its area, and CR4.OSXSAVE on; and back into it, and OSXSAVE off, so that
 * no other task can use registers that are not kept for it.  Interrupts off.
 */
void extended_state_load(const void *area);
void extended_state_save(void *area);
