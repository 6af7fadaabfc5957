/* SPDX-License-Identifier: MIT */
/*
 * Time in whole passes through the scheduler, as OS/2's table of processes has it (Yevtushenko,
 * "Measuring CPU Usage": each counter is increased each time the process goes through the scheduler).
 * A task goes through it when it loses the processor and when a tick of the system clock looks for
 * another one.  They are counted in front of the policy in force, so that they cost nothing while they are off.
 */
#pragma once

#include <stdint.h>

#include "kernel/sched/sched_policy.h"

/* Of one task: it was interrupted at ring 3, or was elsewhere; of IDLE all are `system`. */
struct task_passes {
    uint64_t user, system;
};

/* A policy that counts, and decides as this one does.  Interrupts off. */
const struct sched_policy *sched_passes_over(const struct sched_policy *policy);

/* Of a task since it was made or they were counted first; of all tasks, also of those that ended.  Interrupts off. */
struct task_passes sched_passes_of(const struct task *t);
uint64_t sched_passes_all(void);
