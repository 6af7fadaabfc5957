/* SPDX-License-Identifier: MIT */
/* The tick counters of an epoch (records PROCSTAT and PROCREADS), in the order of their arrival. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "probe/stats/tick_usage.h"
#include "probe/stream/wire.h"
#include "tools/records/violations.h"

#define PROCSTAT_TASKS 4096 /* no image has more tasks */

/* A task at one moment. */
struct procstat_task {
    uint64_t serial; /* of the snapshot */
    struct wire_procstat_row row;
};

struct procstat_records {
    struct wire_procstat *head; /* one a snapshot, by time; no counter is less than one before */
    struct procstat_task *task; /* by snapshot */
    size_t heads, tasks;
    size_t newest; /* of task[]: the first of the last snapshot */
    uint64_t reads_serial; /* of the snapshot that told the next; 0: none */
    struct wire_procreads_row reads[TICK_USAGE_FILES]; /* what readings of each file cost, as told last; reads 0: nobody read it */
};

/* Keep a record.  A violation is noted where it contradicts itself or the one before.  Returns the bytes that were taken. */
size_t procstat_records_add(struct procstat_records *p, const struct wire_procstat *head, struct wire_reader *rows,
                            struct violations **v);

/* The same of the costs of readings: the last of them stay. */
size_t procstat_records_add_reads(struct procstat_records *p, const struct wire_procreads *head, struct wire_reader *rows,
                                  struct violations **v);

void procstat_records_free(struct procstat_records *p);
