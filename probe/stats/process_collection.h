/* SPDX-License-Identifier: MIT */
/*
 * What a reader of the table of processes remembers from one reading to the next (Yevtushenko, "Measuring
 * CPU Usage", the class ProcessCollection): processes that it finds again are touched and get differences, new ones
 * are added, those that were not touched have vanished, and the shares are of what is left.  Host and task
 * context: floating point.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/process_entry.h"

#define PROCESSES_MAX 256u

struct process {
    struct process_entry entry; /* as it was read last */
    uint64_t user, system;      /* passes since the reading before; of a new one all that it had */
    bool touched, fresh, gone;  /* in this reading: it was there; for the first time; no more */
};

struct process_collection {
    /* after _end(): by their shares, the largest first, those that are gone last */
    struct process process[PROCESSES_MAX];
    uint32_t count;
    bool begun;     /* there was a reading before */
    uint64_t total; /* passes of all that are there, since the reading before */
};

/* A reading: begin it, add each entry, end it.  add() is false where there is no room. */
void process_collection_begin(struct process_collection *c);
bool process_collection_add(struct process_collection *c, const struct process_entry *e);
void process_collection_end(struct process_collection *c);

/* Passes that count as the process's own: in user code, and in the system where that is marked as its own. */
uint64_t process_own(const struct process *p);

/* Passes of those that are there and are not the idle one. */
uint64_t process_collection_busy(const struct process_collection *c);

/*
 * Its lines, a head and one a process: mark (+ new, - ended), number, name, priority, state, passes, share.  Columns
 * are as wide as their numbers.  line() has no context.
 */
void process_collection_print(const struct process_collection *c, void (*line)(void *context, const char *text));

/* What stands for the priority and for the state. */
const char *process_priority_name(int8_t priority);
const char *process_state_name(uint8_t state);
