/* SPDX-License-Identifier: MIT */
/*
 * One task that uses most of the CPU, from tick to tick of the system clock, and
 * is never there when the clock ticks: what tick=clock is blind to.
 */
#include "kernel/workload.h"

static const struct workload_task tasks[] = {
    { .name = "HOG", .program = "hog", .argument = 800 },
};

const struct workload workload_hog = {
    "hog", "a task that works between the clock's ticks", tasks, 1,
};
