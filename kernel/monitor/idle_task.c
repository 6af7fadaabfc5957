/* SPDX-License-Identifier: MIT */
/* monitor=idletask. */
#include "kernel/monitor/idle_task.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/lib/run_state.h"
#include "kernel/mm/user_memory.h"
#include "probe/schedule/memory.h"

static struct {
    uint64_t begin, count; /* of a task, by its number */
} base[TASKS_MAX]; /* interrupts off, as all below */
static struct idle_task_row closed[IDLE_TASKS];
static uint32_t rows;

static bool read(const struct task *t, struct idle_count *to)
{
    return t->idle_count_at != 0 && t->state != TASK_ENDED && user_memory_read(t->space, to, t->idle_count_at, sizeof *to);
}

static void begin_task(const struct task *t, uint64_t now)
{
    struct idle_count counts;

    if (!read(t, &counts))
        return;
    base[t->number].begin = now;
    base[t->number].count = counts.count;
}

bool idle_task_register(uint64_t address)
{
    struct idle_count counts;
    bool readable;

    irq_disable();
    current->idle_count_at = address;
    readable = read(current, &counts);
    if (readable)
        begin_task(current, rdtsc());
    else
        current->idle_count_at = 0;
    irq_enable();
    return readable;
}

static void begin(uint64_t now)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        begin_task(&tasks[i], now);
    rows = 0;
}

static void end(void)
{
}

static void close_task(const struct task *t, uint64_t now)
{
    struct idle_task_row *const to = &closed[rows];

    if (!read(t, &to->counts))
        return;
    to->task = t->birth;
    to->id = t->id;
    memcpy(to->name, t->name, sizeof to->name);
    to->begin = base[t->number].begin;
    to->end = now;
    to->counts.count -= base[t->number].count;
    rows++;
}

static void close(uint64_t now)
{
    rows = 0;
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE && rows < IDLE_TASKS; i++)
        close_task(&tasks[i], now);
}

const struct software_monitor monitor_idle_task = {
    .word = MONITOR_IDLETASK, .begin = begin, .end = end, .close = close,
};

const struct idle_task_row *idle_task_row(uint32_t number)
{
    return number < rows ? &closed[number] : 0;
}
