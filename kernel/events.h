/* SPDX-License-Identifier: MIT */
/*
 * What happens to tasks and is told by PROBE: faults, and numbers that a task
 * reports.  A ring that any task fills and PROBE empties.
 */
#ifndef KERNEL_EVENTS_H
#define KERNEL_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/task.h"

enum event_kind { EVENT_FAULT, EVENT_REPORT };

struct event {
    enum event_kind kind;
    uint64_t time;           /* TSC */
    const struct task *task;
    uint64_t value;          /* EVENT_REPORT */
    uint32_t mode, vector;   /* EVENT_FAULT, as all below */
    uint64_t error, pc, address;
};

/* Put one event of the running task on record; false, and counted, where the ring is full. Interrupts off. */
bool events_put(const struct event *e);

/* Take the oldest; false if there is none.  Task context, interrupts on. */
bool events_take(struct event *e);

/* Whether there is one to take.  Any context. */
bool events_waiting(void);

/* Events that found no room. */
uint64_t events_lost(void);

#endif
