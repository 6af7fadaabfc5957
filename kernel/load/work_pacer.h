/* SPDX-License-Identifier: MIT */
/*
 * Paced work: a task that uses given shares of the CPU in each mode, on a slow emulator
 * as on a fast board, because shares are kept by time and not by loop counts.
 */
#pragma once

#include <stdint.h>

#include "kernel/sched/task.h"

/* How long a unit of kernel/abi/spin_loop.h takes, clock units, 32.32. Once, before tasks run. */
void work_pacer_set_unit(uint64_t clocks_q32);

/* Units of kernel/abi/spin_loop.h that take so many clock units.  Task context. */
uint64_t work_pacer_units_of(uint64_t clocks);

/*
 * The work of the running task in `part` (enum pace_part) of its present period, in
 * units.  To ask for PACE_USER begins the next period.  Task context.
 */
uint64_t work_pacer_units(unsigned part);

/* Sleep until the present period is over. Task context. */
void work_pacer_rest(void);
