/* SPDX-License-Identifier: MIT */
/*
 * The performance counters of SYS_PERF, and monitor=perfcall, which reads them by windows (Yevtushenko,
 * "Measuring CPU Usage", the second method).  They are sums over the account, so that they need account=on or log.
 */
#include "drivers/io.h"
#include "kernel/abi/syscall_numbers.h"
#include "kernel/account/exact_time.h"
#include "kernel/lib/run_state.h"
#include "kernel/mm/user_memory.h"
#include "kernel/monitor/software_monitors.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/syscalls.h"
#include "kernel/sched/task.h"

#define PERF_PROCESSORS 1u

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

/*
 * The counters at the TSC `now`; false where no account is kept.  What no task executed is the time of interrupts,
 * and of the probe's ticks, which no row has.  Interrupts off.
 */
static bool read(struct perf_counters *to, uint64_t now)
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

/* Before the first window no time was interrupts'. */
static void any_window(uint64_t now)
{
    struct perf_counters first;

    if (origin == 0 && read(&first, now))
        origin = now - first.idle - first.busy;
}

static void begin(uint64_t now)
{
    read(&base, now);
    closed.begin = now - run_state->start;
}

static void close(uint64_t now)
{
    struct perf_counters c;

    closed.end = now - run_state->start;
    if (!read(&c, now))
        return;
    closed.time = c.time - base.time;
    closed.idle = c.idle - base.idle;
    closed.busy = c.busy - base.busy;
    closed.interrupt = c.interrupt - base.interrupt;
}

uint64_t sys_perf(uint64_t address, uint64_t bytes)
{
    struct perf_counters counters;
    bool kept;

    irq_disable();
    kept = read(&counters, rdtsc());
    irq_enable();
    if (!kept)
        return SYSCALL_DENIED;
    if (bytes >= sizeof counters && !user_memory_write(current->space, address, &counters, sizeof counters))
        return syscall_deny();
    return PERF_PROCESSORS;
}

const struct software_monitor monitor_perfcall = {
    .word = MONITOR_PERFCALL, .any_window = any_window, .begin = begin, .close = close,
    .type = WIRE_PERFCALL, .head = &closed,
};
