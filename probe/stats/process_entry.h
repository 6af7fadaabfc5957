/* SPDX-License-Identifier: MIT */
/*
 * What SYS_PS writes for each task: its time in whole passes through the scheduler, as OS/2 counts it.
 * A pass is charged to where the task was when it lost the processor.
 */
#pragma once

#include <stdint.h>

#include "probe/stats/snapshot.h"

enum process_state { PROCESS_READY, PROCESS_RUNNING, PROCESS_SLEEPING };

/* Its system time counts as its own, as that of OS/2's virtual DOS machines does. */
#define PROCESS_OWNS_SYSTEM 1u

struct process_entry {
    uint64_t task;         /* number since the boot, from 1: no two have the same */
    uint64_t user, system; /* passes */
    uint32_t id;           /* row id in the tables */
    int8_t priority;       /* idle -1, regular 0, time-critical 1 */
    uint8_t state, flags;
    char name[NAME_SIZE];
};
