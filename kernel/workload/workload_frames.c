/* SPDX-License-Identifier: MIT */
/*
 * Tasks whose frame pointers lead nowhere, each in its own way (kernel/tasks/hostile/frames.asm):
 * stack= must find that out.
 */
#include "kernel/workload/workload.h"

#define ROW(task, number) { .name = task, .program = "frames", .argument = number }

static const struct workload_task rows[] = {
    ROW("NONE", 0), ROW("SELF", 1), ROW("ODD", 2), ROW("KERNEL", 3), ROW("WILD", 4),
    ROW("STACK", 5), ROW("NOWHER", 6), ROW("EDGE", 7), ROW("LONG", 8),
};

WORKLOAD(workload_frames, "frames", "tasks whose frame pointers lead nowhere, each in its own way", rows);
