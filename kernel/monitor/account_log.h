/* SPDX-License-Identifier: MIT */
/*
 * monitor=acct: the account log (Thurner 2.2): what each task has used, every acct= seconds and
 * once after its end.  Times are the account's, of the task since the window began or since it was made; with
 * those of ended tasks they add up to the exact table.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/monitor/software_monitors.h"
#include "kernel/sched/task.h"

struct account_log_row {
    uint64_t birth; /* number of the task since the boot, from 1: no two have the same */
    uint32_t id;
    bool ended;
    struct account_row time; /* clock units */
    uint64_t calls, denied, faults, pages, io_done, io_time;
    struct task_activity activity;
};

/* The rows as they were closed, `number` from 0; false past the last one.  Task PROBE. */
bool account_log_row(uint32_t number, struct account_log_row *to);

/*
 * Take the record of a task that had ended when the rows were closed, oldest first; false: there is none.  One that
 * ended since has a closed row, and comes with the next ones.  Task PROBE.
 */
bool account_log_take(struct account_log_row *to);

/* Whether so many of these wait that the next second may lose some.  Task PROBE. */
bool account_log_is_filling(void);

/* Records of ended tasks that found no room, in this window. */
uint64_t account_log_lost(void);

/* When the rows were closed, TSC. */
uint64_t account_log_time(void);
