/* SPDX-License-Identifier: MIT */
/* System calls on the task itself, on other tasks, and on what it tells of itself. */

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/lib/mailbox.h"
#include "kernel/sched/activity.h"
#include "kernel/sched/io_wait.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/syscalls.h"
#include "kernel/sched/task_events.h"
#include "kernel/sched/task_monitor.h"
#include "kernel/trace/trace.h"

uint64_t sys_exit(uint64_t status, uint64_t unused)
{
    (void)status;
    (void)unused;
    task_end();
}

/* A task may not raise itself: nothing that it was not given keeps others from running. */
uint64_t sys_priority(uint64_t priority, uint64_t unused)
{
    const int64_t to = (int64_t)priority;

    (void)unused;
    if (to < PRIORITY_IDLE || to > current->priority)
        return syscall_deny();
    irq_disable();
    sched_set_priority(current, (enum task_priority)to);
    irq_enable();
    return 0;
}

uint64_t sys_take(uint64_t resource, uint64_t units)
{
    return polled_lock_take(resource, units) ? 0 : SYSCALL_DENIED;
}

uint64_t sys_send(uint64_t word, uint64_t unused)
{
    bool room;

    (void)unused;
    irq_disable();
    room = mailbox_put(word);
    irq_enable();
    return room ? 0 : SYSCALL_DENIED;
}

uint64_t sys_receive(uint64_t unused, uint64_t unused2)
{
    uint64_t word = SYSCALL_DENIED;

    (void)unused;
    (void)unused2;
    irq_disable();
    mailbox_take(&word);
    irq_enable();
    return word;
}

uint64_t sys_report(uint64_t value, uint64_t unused)
{
    bool room;

    (void)unused;
    irq_disable();
    room = events_put(&(struct event){ .kind = EVENT_REPORT, .value = value });
    irq_enable();
    return room ? 0 : SYSCALL_DENIED;
}

/* Where the event monitor is off, or takes no user events, it costs a test, and another one for the account log. */
uint64_t sys_event(uint64_t argument, uint64_t unused)
{
    (void)unused;
    irq_disable();
    trace_event(TRACE_USER, account_clock(), argument & TRACE_ARGUMENT_MAX);
    if (task_activity_on)
        activity_enter_range(current, (uint8_t)argument, rdtsc());
    irq_enable();
    return 0;
}

uint64_t sys_monitor(uint64_t unused, uint64_t unused2)
{
    (void)unused;
    (void)unused2;
    if (current->monitor.page == 0)
        return syscall_deny();
    irq_disable();
    task_monitor_take(current);
    irq_enable();
    return 0;
}
