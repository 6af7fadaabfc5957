/* SPDX-License-Identifier: MIT */
/* The performance counters, and monitor=perfcall. */
#include "kernel/monitor/perf_call.h"

#include "kernel/account/exact_time.h"
#include "kernel/lib/run_state.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/task.h"
#include "kernel/source/sampler.h"
#include "probe/stats/load_methods.h"

static uint64_t origin;           /* TSC: where `time` is 0; set once */
static struct perf_counters base; /* when the window began; interrupts off, as the next */
static struct wire_perfcall closed;

/* A counter of the account, with what is not charged yet where it is the one that time goes to. */
static uint64_t cell_at(const uint64_t *cell, uint64_t pending)
{
    return *cell + (cell == account.cell ? pending : 0);
}

/* What the task executed itself, with interrupts on or off; of IDLE only what is no halt. */
static uint64_t busy_of(const struct task *t, uint64_t pending)
{
    uint64_t time = 0;

    for (unsigned mode = MODE_USER; mode < MODES; mode++)
        for (unsigned masked = 0; masked < 2 && mode != MODE_INTERRUPT; masked++)
            if (t != sched_idle() || mode != MODE_KERNEL || masked)
                time += cell_at(&t->account.time[mode][masked], pending);
    return time;
}

/* What no task executed is the time of interrupts, and of the probe's ticks, which no row has. */
bool perf_counters_read(struct perf_counters *to, uint64_t now)
{
    const uint64_t pending = now - account.nmi_time - account.last;

    if (!account_on)
        return false;
    to->idle = cell_at(&sched_idle()->account.time[MODE_KERNEL][0], pending);
    to->busy = 0;
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        to->busy += busy_of(&tasks[i], pending);
    to->time = now - origin;
    to->interrupt = to->time - to->idle - to->busy;
    return true;
}

void perf_counters_begin(uint64_t now)
{
    struct perf_counters first;

    if (origin == 0 && perf_counters_read(&first, now))
        origin = now - first.idle - first.busy;
}

static void begin(uint64_t now)
{
    perf_counters_read(&base, now);
    closed.begin = now - run_state->start;
}

static void end(void)
{
}

static void close(uint64_t now)
{
    struct perf_counters c;

    closed.end = now - run_state->start;
    if (!perf_counters_read(&c, now))
        return;
    closed.time = c.time - base.time;
    closed.idle = c.idle - base.idle;
    closed.busy = c.busy - base.busy;
    closed.interrupt = c.interrupt - base.interrupt;
}

static void put_lines(monitor_line *line)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    perf_load_print(&b, &closed, tick_facts.calibration.rate.clock_hz);
    line(0, text);
}

const struct software_monitor monitor_perf_call = {
    .word = MONITOR_PERFCALL, .begin = begin, .end = end, .close = close, .type = WIRE_PERFCALL, .head = &closed,
    .put_lines = put_lines,
};
