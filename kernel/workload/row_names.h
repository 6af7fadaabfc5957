/* SPDX-License-Identifier: MIT */
/* Chooses the names and ids of rows, so that two programs never share a row because their names begin alike. */
#pragma once

#include <stdint.h>

#include "kernel/mm/module_files.h"
#include "kernel/sched/task.h"

struct row_name {
    char name[NAME_SIZE];
    uint32_t id; /* by identity=name: RADIX-50 of its first six characters */
};

/*
 * Those of a file's tasks, the same for the whole run: its name cut to a row's length, or with `#` and a number at
 * the end where a row has that name; the log says so then.  Before tasks run.
 */
const struct row_name *row_name_of_file(const struct module_file *file);

/* Those of tasks that are no file's: this name, with a number where a file's tasks have it.  Task context. */
struct row_name row_name_of(const char *name);
