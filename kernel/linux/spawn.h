/* SPDX-License-Identifier: MIT */
/* Tasks that run files. */
#pragma once

#include "kernel/mm/module_files.h"
#include "kernel/sched/task.h"

/* What a task that runs a file gets besides. */
struct spawn {
    const char *name;               /* in the tables */
    uint32_t id;                    /* of its row */
    const char *arguments;          /* as struct module_file has them */
    const struct module_file *input; /* what its descriptor 0 reads; NULL: nothing */
    uint64_t draw;                  /* its random bytes begin with this block: tasks of one program have others */
};

/*
 * What such tasks need and nothing else pays for.  False, and in *why what is missing, where this CPU has no SYSCALL
 * or there is no memory.  Once, before tasks run, interrupts off; task_spawn_file() does it too.
 */
bool spawn_open(struct refusal *why);

/*
 * Make a task, a child of the running task, that runs the program in a file, a module or one that the image carries;
 * it does not run before task_start().
 * NULL and *why: no program that can be run here, or no memory.  During the start, and after spawn_open() in
 * task context at ring 0; one caller at a time.
 */
struct task *task_spawn_file(const struct module_file *file, const struct spawn *as, struct refusal *why);

/* Whether such tasks were made, and all of them have ended.  Any context. */
bool spawn_all_ended(void);
