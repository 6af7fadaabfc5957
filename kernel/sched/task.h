/* SPDX-License-Identifier: MIT */
/* A task: what the executive schedules, and what a row of the tables stands for. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/abi/task_priority.h"
#include "kernel/cpu/frame.h"
#include "kernel/sched/task_monitor.h"
#include "probe/core/account.h"
#include "probe/core/system_monitor.h"
#include "probe/stats/snapshot.h"
#include "probe/text/refusal.h"
#include "probe/trace/event_class.h"

/*
 * Requests of tasks that were denied, counted by task and by cause.  They are printed at
 * the end of the run (kernel/report/report_finish.c).
 */

struct task;

/* Of one task.  Written by the task itself, all but the first with interrupts off. */
struct denials {
    uint64_t calls;   /* system calls and services without a grant (kernel/sched/grants.h), or out of bounds */
    uint64_t reports; /* reports for which there was no room (kernel/sched/task_events.h) */
    uint64_t faults;  /* records of its fault for which there was no room */
    uint64_t event_times; /* user events with a time at which it did not run (kernel/sched/task_monitor.h) */
    uint64_t event_room;  /* user events that it overwrote before they were taken */
};

/* The task's slot is reused: add its counters to the sum of all such tasks, and clear them.  Task context. */
void denials_retire(struct task *t);

/* That sum.  Task context. */
const struct denials *denials_retired(void);

#define TASKS_MAX 96
#define ROW_ENDED_NAME "ENDED"
#define TASK_STACK0_BYTES 32768u /* of the stack at ring 0; a guard page below; a command of words needs half of it */

/*
 * State of a slot of tasks[].  A slot that was used is never free again: after the end
 * of its task it keeps the task's row until another task is made in it
 * (kernel/sched/task_slot.h).
 */
enum task_state { TASK_FREE, TASK_CLAIMED, TASK_NEW, TASK_READY, TASK_SLEEPING, TASK_ENDED };

/* The shares of the CPU of a paced task, and its periods (kernel/load/work_pacer.c). */
struct pace {
    uint32_t share[3];    /* enum pace_part: millionths of the elapsed time */
    uint32_t period_us;   /* it gets new work once a period */
    bool absorbs;         /* its kernel share shrinks by the executive's own time */
    bool counted;         /* each period has the same work, however long the last took */
    uint64_t origin;      /* TSC when the first period began, 0 before */
    uint64_t turn;        /* periods begun */
    uint64_t units[3];    /* work of the present period */
};

/* What the account log keeps (kernel/sched/activity.h). */
struct task_activity {
    uint64_t switches;    /* how often it got the processor */
    uint64_t woken;       /* TSC of the wake that it has not slept since; 0: none */
    uint64_t activations; /* from a wake to the next sleep */
    uint64_t response, greatest; /* of all, and of the longest, clock units */
    uint64_t ranged;      /* TSC up to which its time is in a range of user events */
    uint32_t range;       /* number of its last user event, plus 1; 0: none */
};

/* What monitor=procstat counts of a task: whole ticks of the system clock (kernel/monitor/procstat.h). */
struct task_ticks {
    uint64_t user, system;
};

struct process; /* kernel/process/process.h */

struct task {
    uint64_t stack;       /* saved kernel stack pointer; running task: stale */
    uint64_t stack0, stack1; /* tops of its ring-0 and ring-1 stacks */
    uint64_t space;       /* physical address of its page tables */
    struct process *process; /* of a program that was not made for this kernel; NULL: it runs no such */
    struct task *next;    /* in the ready queue or the sleepers */
    uint64_t wake;        /* TSC: when its sleep ends */
    enum task_state state; /* CLAIMED: its row is being changed; NEW: it is being made */
    uint64_t ended;       /* TSC: when it ended */
    bool faulted, terminated; /* how it ended: by a fault of its own; by another task */
    bool kept;            /* its parent has not seen its end yet: the slot is not reused */
    /* PROBE reads it, or has yet to tell its end: nor is the slot reused, nor is what it had released */
    bool held;
    struct task *parent;  /* the task that made it; IDLE: the start */
    bool child_ended;     /* a child has ended since the last task_wait_child() */
    /* number of the task since the boot, from 1; 0: it has ended and was told (kernel/monitor/account_log.c) */
    uint64_t birth;
    uint64_t pages;       /* of memory that it was given when it was made */
    struct task_activity activity;
    uint64_t io_request;  /* the request of a device that it waits for; 0: none (kernel/sched/io_wait.h) */
    uint64_t io_done, io_time; /* requests that were done, and how long it waited for them, clock units */
    struct task_ticks ticks; /* interrupts off */
    int8_t nice;          /* -20 .. 19; no scheduler here looks at it (kernel/monitor/procstat.h) */
    bool awaits_child;    /* it sleeps in task_wait_child() */
    uint16_t segment[4];  /* saved DS, ES, FS, GS; running task: stale */
    uint32_t id;          /* row id in the tables; set by task_set_id() */
    uint32_t home;        /* where the system monitor looks for that row first: bytes from its first record */
    uint64_t key;         /* what it compares there */
    uint32_t number;      /* index in tasks[] */
    uint8_t rules;        /* of when= that are about it, as a mask; interrupts off, as the next */
    uint32_t traced;      /* classes of events that are taken of it (kernel/trace/trace.h); interrupts off */
    uint64_t grants;      /* calls and services that it may make (kernel/sched/grants.h) */
    uint64_t calls;       /* system calls and services that it made, denied ones included */
    struct denials denied;
    struct task_profil profil; /* interrupts off; legend in its header */
    struct task_monitor monitor; /* its pages for user events and calls; interrupts off */
    uint32_t program;     /* number of the program it runs, from 1 (kernel/mm/programs.h); 0: none */
    char name[NAME_SIZE];
    uint64_t idle_count_at; /* address of its struct idle_count (kernel/monitor/idle_task.c); 0: none */
    bool owns_system;     /* its system time counts as its own (probe/stats/process_entry.h) */
    int8_t priority;      /* enum task_priority; interrupts off (sched_set_priority()) */
    struct pace pace;
    struct account_row account;
    uint8_t fpu[512] __attribute__((aligned(16))); /* FXSAVE area */
};

/* Give a task its row.  While no tick can find it running, or with interrupts off. */
static inline void task_set_id(struct task *t, uint32_t id)
{
    t->id = id;
    t->home = system_hash(id) * (uint32_t)sizeof(struct system_record);
    t->key = id | SYSTEM_USED;
}

/* Whether another task may take its slot.  Interrupts off, or the one caller of task_create(). */
static inline bool task_slot_is_over(const struct task *t)
{
    return t->state == TASK_ENDED && !t->kept && !t->held;
}

extern struct task *current;            /* the running task; changed with interrupts off */
extern struct task tasks[TASKS_MAX];    /* never moves; task context */

/* A task as the argument of an event. */
static inline uint64_t task_event(const struct task *t)
{
    return trace_task(t->id, t->number);
}

/*
 * Make a task, a child of the running task.  It has no grants, and does not run before
 * task_start().  During the start, and in task context at ring 0; one caller at a time.
 * NULL where there is no slot or no memory, or the program cannot be loaded.
 *   task_create_user: runs the program `number` (kernel/mm/programs.h) at ring 3; its main gets `argument`
 *   task_create_process: runs the program of a process at ring 3, from `entry` with the stack `rsp`; the task has the
 *     process from then on, also where it cannot be made
 *   task_create_kernel: `entry` runs at ring 0 and must not return
 */
struct task *task_create_user(const char *name, uint32_t id, uint32_t number, uint64_t argument, struct refusal *why);
struct task *task_create_process(const char *name, uint32_t id, struct process *process, uint64_t entry,
                                 uint64_t rsp);
struct task *task_create_kernel(const char *name, uint32_t id, void (*entry)(void));

/* Tasks that were made since the boot, IDLE included.  Any context. */
uint64_t task_births(void);

/* Let a task run.  Context as for task_create_user(). */
void task_start(struct task *t);

/*
 * The task into whose ring-0 or ring-1 stack `rsp` points; IDLE, which runs on the boot
 * stack, where it points into none.  Any context: it reads nothing that changes.
 */
const struct task *task_of_stack(uint64_t rsp);

/* End the running task; its row stays.  Task context. */
_Noreturn void task_end(void);

/*
 * End another task, wherever it lost the processor or went to sleep: at ring 3, at ring
 * 1, or at ring 0 in a system call with interrupts on.  All are safe, because a call
 * holds no resource outside its sections with interrupts off.  Nothing where the task
 * has ended.  Not for the running task, IDLE or a task of ring 0.  Task context at ring 0.
 */
void task_terminate(struct task *t);

/*
 * Sleep until a child of the running task has ended since the last call, or the TSC
 * reads `wake`.  Task context at ring 0.
 */
void task_wait_child(uint64_t wake);

/*
 * Free the memory of all tasks that have ended: pages and page tables, but not of a process whose
 * end is to be told first.  Their slots, kernel stacks and rows stay.  Task context at ring 0, interrupts on or off.
 */
void task_reclaim(void);
