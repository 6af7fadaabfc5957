/* SPDX-License-Identifier: MIT */
/*
 * What stack= adds to a tick at most, after the next one is armed: no interval may be shorter.  Measured by the walk
 * itself (kernel/mm/user_memory.h), through memory that makes it as long as any program can.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/text/refusal.h"

/*
 * The cost with so many callers, clock units; 0 callers: 0.  Measured when a number is asked for first.  False where
 * there is no memory for it.  The start, interrupts off; and task PROBE.
 */
bool walk_cost(unsigned callers, uint64_t *clocks, struct refusal *why);
