/* SPDX-License-Identifier: MIT */
/*
 * Workloads: which tasks run, and what share of the CPU each uses.  A workload is
 * one file (workload_*.c) and one row of workloads[] in workload.c.
 */
#ifndef KERNEL_WORKLOAD_WORKLOAD_H
#define KERNEL_WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/grants.h"

struct workload;

struct workload_task {
    const char *name;    /* as the tables show it */
    const char *program; /* in kernel/tasks/ */
    uint32_t kernel, supervisor, user; /* shares, millionths of the CPU; 0: not paced */
    bool absorbs;        /* its kernel share gives way for the executive's own time */
    bool counted;        /* its shares are what work it is given, whatever time it makes of that */
    uint32_t id;         /* row id where not 0, else by identity= */
    uint64_t argument;   /* of the program's main */
    uint64_t grants;     /* what calls it may make (kernel/sched/grants.h) */
    bool smi;            /* it raises SMIs (kernel/workload/smi.h) */
    bool rtc;            /* it has the RTC for itself: neither tick nor clock come by that */
    void (*entry)(void); /* NULL: a program; else it runs this at ring 0, and makes other tasks */
    void (*tell)(void);  /* says at the end of the run what became of them; NULL: nothing.  Task PROBE */
    const struct workload *beside; /* all tasks of this one run too; NULL: none */
};

struct workload {
    const char *name, *what;
    const struct workload_task *task;
    unsigned tasks;
};

struct task;

extern const struct workload workload_figure3, workload_figure3_fixed, workload_spin, workload_faults,
    workload_collide, workload_twins, workload_masked, workload_sleepers,
    workload_panic, workload_overflow, workload_panic2, workload_rings,
    workload_deadlock, workload_pollers, workload_rounded, workload_isochronous, workload_hog0,
    workload_hog1, workload_hog2, workload_hogsweep, workload_storm, workload_openstorm,
    workload_shadow, workload_calls, workload_smi,
    workload_crashme, workload_turnover, workload_unruly, workload_jumps,
    workload_foresee, workload_snoop;

/*
 * Make the tasks of the workload of this name.  False, and said, where there is
 * none of that name or a task cannot be made.  Interrupts off, before tasks run.
 */
bool workload_start(const char *name);

/*
 * Make one task of a row, called `name`, for its row to be told by `number`: from 1 for
 * the rows of workloads, above TASKS_MAX for those that tasks make.  It is not started.
 * NULL where it cannot be made, and that is said.  The start, and task context at ring 0.
 */
struct task *workload_make(const struct workload_task *row, const char *name, uint32_t number);

/* What the workload says at the end of the run.  Task PROBE. */
void workload_report(void);

/* The row id and the shown name of a task, by identity=. */
uint32_t workload_id(const char *name, const char *program, uint32_t number);

#endif
