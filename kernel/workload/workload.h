/* SPDX-License-Identifier: MIT */
/*
 * Workloads: which tasks run, and what share of the CPU each uses.  A workload is
 * one file (workload_*.c) and one row of workloads[] in workload_list.c.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/abi/task_priority.h"
#include "kernel/sched/grants.h"
#include "probe/config/task_spec.h"
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
    const struct workload *beside; /* the tasks of this workload run too; NULL: none */
};

struct workload {
    const char *name, *what;
    const struct workload_task *task;
    unsigned tasks;
};

/* Define a workload of these rows, an array. */
#define WORKLOAD(symbol, name, what, rows) \
    const struct workload symbol = { name, what, rows, sizeof(rows) / sizeof((rows)[0]) }

struct task;

/* All of them, in the order in which their names are told: W(name) is workload_NAME. */
#define WORKLOADS(W) \
    W(figure3) W(figure3_fixed) W(spin) W(faults) W(collide) W(twins) W(masked) W(sleepers) W(panic) W(overflow) \
    W(panic2) W(rings) W(deadlock) W(pollers) W(rounded) W(isochronous) W(hog0) W(hog1) W(hog2) W(hogsweep) \
    W(freehogs) W(storm) W(openstorm) W(shadow) W(callsites) W(callstorm) W(profil) W(profilwild) W(bits) \
    W(bits_checked) W(bits_fixed) W(divisions) W(calls) W(smi) W(crashme) W(turnover) W(brief) W(unruly) \
    W(jumps) W(frames) W(foresee) W(snoop) W(disk) W(diskflood) W(delays) W(delays_phases) W(refused) W(pauses) \
    W(pauses350) W(readers) W(proctexts) W(messages) W(messages_faultless) W(intercept) W(stretches) W(nested) \
    W(scribbled) W(talk) W(hybrid) W(priorities) W(background) W(idletask) W(perfcall) W(proctable) \
    W(badbuffers) W(survey) W(survey_smi)

#define WORKLOAD_DECLARE(name) extern const struct workload workload_##name;
WORKLOADS(WORKLOAD_DECLARE)
#undef WORKLOAD_DECLARE

/*
 * Make the tasks of this list (probe/config/task_spec.h).  False, with an error in the log, where
 * no workload has a name or a task cannot be made.  Interrupts off, before tasks run.
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

/*
 * The same for the program of a file; `number`: of its row by identity=task.  ABSENT: a word names a file that did
 * not come.  REFUSED: its program cannot run.  Both with an error in the log.
 */
enum workload_file { WORKLOAD_FILE_STARTED, WORKLOAD_FILE_ABSENT, WORKLOAD_FILE_REFUSED };
enum workload_file workload_start_file(const struct task_spec *spec, uint32_t number);

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

/* The row id of a task, by identity=; `number` is its place in the workload, from 1. */
uint32_t workload_id(const char *name, const char *program, uint32_t number);
