/* SPDX-License-Identifier: MIT */
/* The performance counters, and monitor=perfcall. */
#include "kernel/monitor/perf_call.h"

#include "kernel/account/exact_time.h"
#include "kernel/lib/run_state.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/task.h"

static uint64_t origin;           /* TSC: where `time` is 0; set once */
static struct perf_counters base; /* when the window began; interrupts off, as the next */
static struct perf_window closed;

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
    closed.begin = now;
}

static void end(void)
{
}

static void close(uint64_t now)
{
    struct perf_counters *const c = &closed.counters;

    perf_counters_read(c, now);
    closed.end = now;
    *c = (struct perf_counters){
        .time = c->time - base.time, .idle = c->idle - base.idle, .busy = c->busy - base.busy,
        .interrupt = c->interrupt - base.interrupt,
    };
}

const struct software_monitor monitor_perf_call = {
    .word = MONITOR_PERFCALL, .begin = begin, .end = end, .close = close,
};

const struct perf_window *perf_call_closed(void)
{
    return &closed;
}
