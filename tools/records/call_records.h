/* SPDX-License-Identifier: MIT */
/*
 * What instrumented programs counted of their own calls (record CALLS), by task.  The numbers are
 * those of programs: nothing here says that they are possible.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "probe/stream/wire.h"
#include "tools/base/hash_index.h"
#include "tools/records/violations.h"

#define CALL_TASKS     4096 /* no image has more tasks, and no table more functions */
#define CALL_FUNCTIONS 255

/* Of one task: the newest head, and the newest row of each function. */
struct call_record {
    struct wire_calls head;
    struct wire_calls_row *row; /* no two of one function */
    size_t rows;
    struct index of_function;
    uint64_t left_out; /* rows of more functions than a table has: a program may write others again and again */
};

struct call_records {
    struct call_record *of;
    size_t count;
    struct index of_task; /* by id and number */
};

/*
 * Take a frame.  A violation is noted where there is more than any image sends.  Returns the bytes that were taken.
 */
size_t call_records_add(struct call_records *c, const struct wire_calls *head, struct wire_reader *rows,
                        struct violations **v);

/* Of the first task with this row id; NULL: there is none. */
const struct call_record *call_record_of(const struct call_records *c, uint32_t id);

void call_records_free(struct call_records *c);
