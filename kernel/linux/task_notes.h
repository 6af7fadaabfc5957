/* SPDX-License-Identifier: MIT */
/*
 * What processes write, and which of their code changes, on the way to PROBE: one ring, in the order in which it
 * happened.  A writer that finds it full sleeps until PROBE has taken something: nothing is lost.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/snapshot.h"

#define TASK_NOTE_BYTES 432u

enum task_note_kind { TASK_NOTE_OUTPUT, TASK_NOTE_CODE };

/* Name and id are copies, as in kernel/sched/task_events.h. */
struct task_note {
    uint64_t time; /* TSC */
    enum task_note_kind kind;
    uint32_t id;
    char name[NAME_SIZE];
    uint32_t descriptor, length; /* OUTPUT: 1 or 2; of `bytes` */
    uint8_t bytes[TASK_NOTE_BYTES];
    uint32_t generation; /* CODE, as the next: the range that holds other code from now on */
    uint64_t from, to;
};

/* Get memory for the ring.  False: there is none.  Before a process runs; again: nothing. */
bool task_notes_open(void);

/*
 * The running task has written bytes, TASK_NOTE_BYTES at most; its code in [from, to) has changed.
 * In a system call of it.
 */
void task_note_output(uint32_t descriptor, const uint8_t *bytes, uint32_t length);
void task_note_code(uint32_t generation, uint64_t from, uint64_t to);

/* Whether one waits; take the oldest, false: none waits.  Task PROBE. */
bool task_notes_wait(void);
bool task_note_take(struct task_note *note);
