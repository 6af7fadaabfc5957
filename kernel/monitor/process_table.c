/* SPDX-License-Identifier: MIT */
/*
 * The table of processes of SYS_PS, and monitor=proctable, which tells it with each snapshot (Yevtushenko,
 * "Measuring CPU Usage", the third method).  A task that has ended is in it no more.
 */
#include "kernel/monitor/software_monitors.h"

#include "kernel/account/exact_time.h"
#include "kernel/lib/run_state.h"
#include "kernel/mm/user_memory.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/syscalls.h"
#include "kernel/sched/task.h"
#include "probe/schedule/memory.h"
#include "probe/stats/process_collection.h"
#include "probe/stats/process_entry.h"

#define READS_OF_PROCESSES 4u /* of a table, at most */

static struct process_entry closed[TASKS_MAX]; /* interrupts off, as the next */
static struct wire_proctable head; /* of them */
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

/*
 * The entry of the slot `*slot` of tasks[] or the next one that has a task, and the slot after it; false past the
 * last.  Passes are of the task's life so far.  Task context, interrupts on or off.
 */
static bool next_entry(uint32_t *slot, struct process_entry *to)
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

/* Entries that have no room are counted and not written: the caller sees by the answer that there are more. */
static uint64_t write_processes(uint64_t address, uint64_t bytes)
{
    struct process_entry entry;
    uint64_t entries = 0;

    for (uint32_t slot = 0; next_entry(&slot, &entry); entries++) {
        const uint64_t at = entries * sizeof entry;

        if (bytes >= sizeof entry && at <= bytes - sizeof entry &&
            !user_memory_write(current->space, address + at, &entry, sizeof entry))
            return SYSCALL_DENIED;
    }
    return entries;
}

/*
 * A table of one moment: it is read again where another task ran meanwhile, and the last time with interrupts off.
 * An interrupt alone may only make a task ready that slept.
 */
uint64_t sys_ps(uint64_t address, uint64_t bytes)
{
    uint64_t entries, passes;
    unsigned again = READS_OF_PROCESSES;

    do {
        const bool on = again == 1 && irq_save();

        passes = sched_passes_all();
        entries = write_processes(address, bytes);
        irq_restore(on);
    } while (entries != SYSCALL_DENIED && passes != sched_passes_all() && --again != 0);
    return entries != SYSCALL_DENIED ? entries : syscall_deny();
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
    head.tasks = 0;
    for (uint32_t i = 0; is_used(i); i++)
        if (is_there(&tasks[i]))
            read(&closed[head.tasks++], &tasks[i]);
    head.time = now - run_state->start;
    head.passes = sched_passes_all();
}

/* ---- the report ---- */

static const void *next_row(uint32_t *at)
{
    static struct wire_proctable_row row;
    const struct process_entry *const e = &closed[*at];

    if (*at == head.tasks)
        return 0;
    ++*at;
    row = (struct wire_proctable_row){
        .task = e->task, .id = e->id, .user = e->user, .system = e->system, .priority = wire_zigzag(e->priority),
        .state = e->state, .flags = e->flags,
    };
    return &row;
}

/* What changed since the last ones. */
static void put_lines(monitor_line *line)
{
    static struct process_collection remembered;

    process_collection_begin(&remembered);
    for (uint32_t i = 0; i < head.tasks; i++)
        process_collection_add(&remembered, &closed[i]);
    process_collection_end(&remembered);
    process_collection_print(&remembered, line);
}

const struct software_monitor monitor_proctable = {
    .word = MONITOR_PROCTABLE, .begin = begin, .end = end, .close = close, .type = WIRE_PROCTABLE, .head = &head,
    .rows = next_row, .put_lines = put_lines,
};
