/* SPDX-License-Identifier: MIT */
/*
 * Tasks that sleep and report how long it took: off the clock's grid to the
 * microsecond, and rounded to the clock's ticks.
 */
#include "kernel/syscall_numbers.h"
#include "kernel/workload.h"

static const struct workload_task tasks[] = {
    { .name = "SL100", .program = "sleeper", .argument = 100 },
    { .name = "SL1000", .program = "sleeper", .argument = 1000 },
    { .name = "SL22K5", .program = "sleeper", .argument = 22500 },
    { .name = "GRID1K", .program = "sleeper", .argument = SLEEPER_GRID | 1000 },
    { .name = "GRID15", .program = "sleeper", .argument = SLEEPER_GRID | 15000 },
};

const struct workload workload_sleepers = {
    "sleepers", "tasks that report how long they slept", tasks,
    sizeof tasks / sizeof tasks[0],
};
