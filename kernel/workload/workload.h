/* SPDX-License-Identifier: MIT */
/*
 * Workloads: which tasks run, and what share of the CPU each uses.  A workload is a WORKLOAD in the file of its
 * family (workload_*.c), and stands nowhere else.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/abi/task_priority.h"
#include "kernel/sched/grants.h"
#include "probe/text/refusal.h"

struct workload;

struct workload_task {
    const char *name;    /* in the tables */
    const char *program; /* in kernel/tasks/ */
    uint32_t kernel, supervisor, user; /* shares, millionths of the CPU; 0: not paced */
    bool absorbs;        /* its kernel share shrinks by the executive's own time */
    bool counted;        /* its shares are amounts of work; how long it takes for them does not matter */
    uint32_t id;         /* row id where not 0, else by identity= */
    uint64_t argument;   /* of the program's main */
    enum task_priority priority; /* regular unless given */
    /* its system time counts as its own in the table of processes (probe/stats/process_entry.h) */
    bool owns_system;
    bool seeded;         /* the upper half of the argument is drawn from seed= */
    uint64_t grants;     /* the calls that it may make (kernel/sched/grants.h) */
    int8_t nice;         /* above 0: its time in user mode is nice (monitor=procstat) */
    bool processes;      /* it makes tasks that run programs for Linux (kernel/linux/spawn.h) */
    bool smi;            /* it raises SMIs (kernel/load/loads.h) */
    bool rtc;            /* it uses the RTC, so that neither tick nor clock can */
    void (*entry)(void); /* NULL: it runs its program; else this function, at ring 0, which makes other tasks */
    /* measures before tasks run; NULL: nothing to measure.  False: the image ends */
    bool (*prepare)(struct refusal *why);
    void (*tell)(void);  /* prints at the end of the run how those ended; NULL: nothing.  Task PROBE */
    const char *note;    /* a sentence below its table on the screen; NULL: none */
    const struct workload *beside; /* the tasks of this workload run too; NULL: none */
};

struct workload {
    const char *name, *what;
    const struct workload_task *task;
    unsigned tasks;
};

/* Define a workload of the rows that follow; the linker collects all in the order of their names (linker.ld). */
#define WORKLOAD(symbol, name, what, ...)                                                                   \
    static const struct workload_task symbol##_rows[] = { __VA_ARGS__ };                                    \
    const struct workload symbol = { name, what, symbol##_rows, sizeof symbol##_rows / sizeof symbol##_rows[0] }; \
    static const struct workload *const symbol##_listed __attribute__((used, section(".workloads." name))) = &symbol

/* A row whose task works for these shares at ring 0, 1 and 3. */
#define WORKER(task, in_kernel, in_supervisor, in_user)                                                     \
    { .name = (task), .program = "worker", .kernel = (in_kernel), .supervisor = (in_supervisor),            \
      .user = (in_user), .grants = GRANTS_PACE }

/* A row whose task does the same work again and again, and reports how long it took. */
#define SPINNER(task) \
    { .name = (task), .program = "spinner", .argument = 4000000, .grants = GRANTS_CLOCK | GRANTS_REPORT }

struct task;

/* Those that run beside others. */
extern const struct workload workload_figure3, workload_sleepers, workload_turnover, workload_idletask;

/*
 * Make the tasks of this list (probe/config/task_spec.h).  False, with an error in the log, where no workload or file
 * has a name or a workload's task cannot be made.  Interrupts off, before tasks run.
 */
bool workload_start(const char *list);

/* The same for the rows of one; `first`: tasks that others made before. */
bool workload_start_tasks(const struct workload *w, uint32_t first);

/*
 * Make the `number`-th task, from 0, that a task of the workload makes while it runs.
 * It is not started.  NULL, with an error in the log, where it cannot be made.
 * Task context at ring 0.
 */
struct task *workload_make_child(const struct workload_task *row, const char *name, uint64_t number);

/* Whether programs of files run and nothing beside them; whether all of them have ended.  Any context. */
bool workload_may_end(void);
bool workload_is_over(void);

/*
 * Have workloads measure what they need before tasks run, once the ticks are planned and the tasks made.  False, with
 * an error in the log, where one cannot.  Interrupts off, and on meanwhile.
 */
bool workload_prepare(void);

/* What the workload prints at the end of the run.  Task PROBE. */
void workload_report(void);

/* The sentence that stands below its table on the screen; "": none does.  Any context. */
const char *workload_note(void);

/* The row id of a task, by identity=; `number` is its place in the workload, from 1. */
uint32_t workload_id(const char *name, const char *program, uint32_t number);
