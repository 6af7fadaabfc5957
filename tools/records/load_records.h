/* SPDX-License-Identifier: MIT */
/* The records of three load meters of an epoch: a task at idle priority, performance counters, the table of processes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "probe/stream/wire.h"
#include "tools/base/hash_index.h"
#include "tools/records/violations.h"

#define IDLE_TASKS 4096 /* no image has more tasks */

/* How far a task had counted when a window was closed. */
struct idle_task_reading {
    uint64_t serial;
    struct wire_idletask_row row;
};

/* A table of processes: `rows` of the records' rows, from `first`. */
struct process_table {
    struct wire_proctable head;
    size_t first, rows; /* rows that arrived: head.tasks where none was lost */
};

struct load_records {
    struct idle_task_reading *idle_task; /* by serial; those that contradict themselves or one before are dropped, as of the others */
    struct wire_perfcall *perf;
    struct process_table *table;
    struct wire_proctable_row *process;
    size_t idle_tasks, perfs, tables, processes;
    size_t idle_last;    /* the first of the readings with the last serial */
    struct index last_of; /* by task: its last reading, in idle_task[] */
};

/* Keep a record.  A violation is noted where it contradicts itself or the one before.  Returns the bytes that were taken. */
size_t load_add_idle_task(struct load_records *l, const struct wire_idletask *head, struct wire_reader *rows,
                          struct violations **v);
size_t load_add_perf_call(struct load_records *l, const struct wire_perfcall *from, struct violations **v);
size_t load_add_process_table(struct load_records *l, const struct wire_proctable *head, struct wire_reader *rows,
                              struct violations **v);

void load_records_free(struct load_records *l);
