/* SPDX-License-Identifier: MIT */
/*
 * monitor=idletask: the load by a task that counts at idle priority (Yevtushenko, "Measuring CPU
 * Usage", the first method).  The task counts in its own memory; its count is read there when a window
 * begins and when it is closed.  kernel/workload/workload_list.c makes the task where the boot line has the monitor.
 */
#include "drivers/io.h"
#include "kernel/abi/syscall_numbers.h"
#include "kernel/account/exact_time.h"
#include "kernel/lib/run_state.h"
#include "kernel/mm/user_memory.h"
#include "kernel/monitor/software_monitors.h"
#include "kernel/sched/syscalls.h"
#include "kernel/sched/task.h"
#include "kernel/source/sampler.h"
#include "probe/schedule/memory.h"
#include "probe/stats/monitor_print.h"

#define IDLE_TASKS 4u /* that are read; another one is not */

static struct {
    uint64_t begin, count; /* of a task, by its number */
} base[TASKS_MAX]; /* interrupts off, as all below */
static struct wire_idletask head;
static struct {
    struct wire_idletask_row row;
    char name[NAME_SIZE];
} closed[IDLE_TASKS];
static uint32_t rows;

static bool read(const struct task *t, struct idle_count *to)
{
    return t->idle_count_at != 0 && t->state != TASK_ENDED &&
           user_memory_read(t->space, to, t->idle_count_at, sizeof *to);
}

static void begin_task(const struct task *t, uint64_t now)
{
    struct idle_count counts;

    if (!read(t, &counts))
        return;
    base[t->number].begin = now;
    base[t->number].count = counts.count;
}

/* The running task counts at this address of its own from now on; denied where it cannot be read. */
uint64_t sys_idle_count(uint64_t address, uint64_t unused)
{
    struct idle_count counts;
    bool readable;

    (void)unused;
    irq_disable();
    current->idle_count_at = address;
    readable = read(current, &counts);
    if (readable)
        begin_task(current, rdtsc());
    else
        current->idle_count_at = 0;
    irq_enable();
    return readable ? 0 : syscall_deny();
}

static void begin(uint64_t now)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        begin_task(&tasks[i], now);
    rows = 0;
}

static void close_task(const struct task *t, uint64_t now)
{
    struct idle_count counts;

    if (!read(t, &counts))
        return;
    closed[rows].row = (struct wire_idletask_row){
        .task = t->birth, .id = t->id, .begin = base[t->number].begin - run_state->start,
        .end = now - run_state->start, .count = counts.count - base[t->number].count, .calibrated = counts.calibrated,
        .took = counts.took,
    };
    memcpy(closed[rows++].name, t->name, NAME_SIZE);
}

static void close(uint64_t now)
{
    rows = 0;
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE && rows < IDLE_TASKS; i++)
        close_task(&tasks[i], now);
}

/* Those that are calibrated. */
static const void *next_row(uint32_t *at)
{
    while (*at < rows)
        if (closed[(*at)++].row.took != 0)
            return &closed[*at - 1].row;
    return 0;
}

static void put_lines(monitor_line *line)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    if (rows == 0)
        line(0, "idletask no task counts at idle priority: one is made where the boot line has monitor=idletask");
    for (uint32_t i = 0; i < rows; i++) {
        buf_reset(&b);
        record_line_print(&b, WIRE_IDLETASK, closed[i].name, &closed[i].row, tick_facts.calibration.rate.clock_hz);
        line(0, text);
    }
}

const struct software_monitor monitor_idletask = {
    .word = MONITOR_IDLETASK, .begin = begin, .close = close, .type = WIRE_IDLETASK, .head = &head,
    .rows = next_row, .put_lines = put_lines,
};
