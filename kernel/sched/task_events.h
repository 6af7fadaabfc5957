/* SPDX-License-Identifier: MIT */
/*
 * Events of tasks that PROBE prints or sends: faults, and numbers that tasks report.
 * Each kind has a ring of its own, which any task fills and PROBE empties, so that a
 * flood of reports takes no room from faults.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/task.h"

enum event_kind { EVENT_FAULT, EVENT_REPORT, EVENT_KINDS };

/* Name and id are copies: the slot may be another task's by the time PROBE reads the event. */
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
 * Record an event of the running task, with its time, id and name.  False where the ring
 * is full; that is counted by task (kernel/sched/task.h).  Interrupts off.
 */
bool events_put(const struct event *e);

/* Take the oldest event of the kinds whose bits are set; false if there is none.  Task context, interrupts on. */
bool events_take(struct event *e, unsigned kinds);

/* Events that wait to be taken.  Any context. */
uint32_t events_pending(void);

/* Whether the ring of faults is half full.  Any context. */
bool events_fault_backlog(void);

/* Call this, with interrupts off, at each fault while that is so.  Once, before tasks run. */
void events_on_fault_backlog(void (*call)(void));

/* Events for which there was no room. */
uint64_t events_lost(void);
