/* SPDX-License-Identifier: MIT */
/* The table of processes, and monitor=proctable. */
#include "kernel/monitor/process_table.h"

#include "kernel/account/exact_time.h"
#include "kernel/lib/run_state.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/sched_passes.h"
#include "probe/schedule/memory.h"

static struct process_entry closed[TASKS_MAX]; /* interrupts off, as the next */
static uint32_t rows;
static uint64_t closed_at, closed_passes;
static bool wanted; /* by a task; set before tasks run */

static enum process_state state_of(const struct task *t)
{
    return t == current ? PROCESS_RUNNING : t->state == TASK_SLEEPING ? PROCESS_SLEEPING : PROCESS_READY;
}

static bool is_there(const struct task *t)
{
    return t->state == TASK_READY || t->state == TASK_SLEEPING;
}

/* Interrupts off. */
static void read(struct process_entry *to, const struct task *t)
{
    const struct task_passes passes = sched_passes_of(t);

    *to = (struct process_entry){
        .task = t->birth, .user = passes.user, .system = passes.system, .id = t->id, .priority = t->priority,
        .state = (uint8_t)state_of(t), .flags = t->owns_system ? PROCESS_OWNS_SYSTEM : 0,
    };
    memcpy(to->name, t->name, sizeof to->name);
}

static bool is_used(uint32_t slot)
{
    return slot < TASKS_MAX && tasks[slot].state != TASK_FREE;
}

bool process_table_next(uint32_t *slot, struct process_entry *to)
{
    bool found = false;

    while (!found && is_used(*slot)) {
        const struct task *const t = &tasks[(*slot)++];
        const bool on = irq_save();

        found = is_there(t);
        if (found)
            read(to, t);
        irq_restore(on);
    }
    return found;
}

void process_table_wanted(void)
{
    wanted = true;
    sched_count_passes(true);
}

static void begin(uint64_t now)
{
    (void)now;
    sched_count_passes(true);
}

static void end(void)
{
    sched_count_passes(wanted);
}

static void close(uint64_t now)
{
    rows = 0;
    for (uint32_t i = 0; is_used(i); i++)
        if (is_there(&tasks[i]))
            read(&closed[rows++], &tasks[i]);
    closed_at = now;
    closed_passes = sched_passes_all();
}

const struct software_monitor monitor_process_table = {
    .word = MONITOR_PROCTABLE, .begin = begin, .end = end, .close = close,
};

bool process_table_closed(uint32_t number, struct process_entry *to)
{
    if (number >= rows)
        return false;
    *to = closed[number];
    return true;
}

uint64_t process_table_time(void)
{
    return closed_at;
}

uint64_t process_table_passes(void)
{
    return closed_passes;
}
