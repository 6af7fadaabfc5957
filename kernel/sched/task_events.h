/* SPDX-License-Identifier: MIT */
/*
 * What happens to tasks and is told by PROBE: faults, and numbers that a task
 * reports.  A ring of each that any task fills and PROBE empties: whoever reports
 * more than the line carries takes no room from faults.
 */
#ifndef KERNEL_SCHED_TASK_EVENTS_H
#define KERNEL_SCHED_TASK_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/task.h"

enum event_kind { EVENT_FAULT, EVENT_REPORT, EVENT_KINDS };

/* The task's name and id are copies: its slot may be another's by the time it is told. */
struct event {
    enum event_kind kind;
    uint64_t time;           /* TSC */
    uint32_t id;
    char name[NAME_SIZE];
    uint64_t value;          /* EVENT_REPORT */
    uint32_t mode, vector;   /* EVENT_FAULT, as all below */
    uint64_t error, pc, address;
};

/*
 * Put one event of the running task on record, with its time, id and name; false,
 * and counted by task (kernel/sched/denials.h), where its ring is full. Interrupts off.
 */
bool events_put(const struct event *e);

/* Take the oldest of the kinds that `kinds` has a bit for; false if there is none.  Task context, interrupts on. */
bool events_take(struct event *e, unsigned kinds);

/* How many wait to be taken.  Any context. */
uint32_t events_pending(void);

/* Whether so many faults wait that more may soon find no room.  Any context. */
bool events_fault_backlog(void);

/* Call this, with interrupts off, at each fault while they press.  Once, before tasks run. */
void events_on_fault_backlog(void (*call)(void));

/* Events that found no room. */
uint64_t events_lost(void);

#endif
