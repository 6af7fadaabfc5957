/* SPDX-License-Identifier: MIT */
/* Tasks that run programs of files (record PROCESS), each as its newest record has it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stream/wire.h"
#include "tools/base/hash_index.h"
#include "tools/records/violations.h"

#define PROCESS_TASKS 4096 /* no image has more tasks */
#define PROCESS_CALLS 64   /* and none tells more kinds of calls of one */
#define PROCESS_RANGES 1024 /* of code that changed, kept of a task; more of them count as one that has all between */

/* What wire_process says of a program in `state`. */
enum program_state { PROGRAM_RUNS, PROGRAM_EXITED, PROGRAM_ENDED, PROGRAM_STATES };

/* A system call that was not there. */
struct process_call {
    uint64_t number, count;
    char *name; /* "": not known */
};

/* Addresses [from, to) at which the task had, for a part of the run, other code than its file has. */
struct process_range {
    uint64_t from, to;
};

struct process_record {
    uint64_t id, program, base, status, generation; /* as in struct wire_process */
    enum program_state state;
    char *name;
    struct process_call *call;
    struct process_range *changed;
    size_t calls, changes;
    bool mixed;   /* tasks of two programs have its id and name */
    size_t bytes; /* of memory, the most that it has had */
};

struct process_records {
    struct process_record *of; /* no two of one id and name */
    size_t count;
    struct index of_key; /* by id and name */
};

/*
 * Take a frame.  A violation is noted where it is impossible.  Returns the bytes of memory that were taken: nothing
 * where it says no more than the one before.
 */
size_t process_records_add(struct process_records *p, const struct wire_process *head, struct wire_reader *rows,
                           struct violations **v);

/* The same of a record CODE. */
size_t process_records_add_code(struct process_records *p, const struct wire_code *head, struct violations **v);

/* Whether the task had other code at this address for a part of the run. */
bool process_changed_at(const struct process_record *r, uint64_t address);

/* The first task with this row id; NULL: there is none. */
const struct process_record *process_record_of(const struct process_records *p, uint32_t id);

void process_records_free(struct process_records *p);
