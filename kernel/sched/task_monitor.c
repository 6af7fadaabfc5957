/* SPDX-License-Identifier: MIT */
/* Reads what tasks record about themselves: every number is bounded before it is used. */
#include "kernel/sched/task_monitor.h"

#include "kernel/account/exact_time.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/sched/activity.h"
#include "kernel/sched/task.h"
#include "kernel/trace/trace.h"
#include "probe/trace/event_ring.h"

static struct event_record moved[MONITOR_RECORDS]; /* interrupts off */

bool task_monitor_open(struct task *t)
{
    const uint64_t now = rdtsc();

    for (unsigned i = 0; i < MONITOR_PAGES; i++)
        if (paging_map_new(t->space, MONITOR_PAGE + i * PAGE_SIZE, PAGE_USER | PAGE_WRITE | PAGE_NO_CODE) == 0)
            return false;
    t->monitor = (struct task_monitor){ .page = paging_lookup(t->space, MONITOR_PAGE), .left = now, .away = now };
    t->monitor.page->limit = UINT64_MAX;
    return true;
}

/*
 * Whether the task can have recorded this: after its last record, while it ran.  A record that it
 * began before it left the processor, and finished after it came back, has the time of the return.
 */
static bool is_possible(struct task_monitor *m, uint64_t *time, uint64_t now)
{
    if (*time < m->begin && *time >= m->last && *time >= m->begun && *time <= m->left)
        *time = m->begin;
    return *time >= m->begin && *time >= m->last && *time <= now;
}

/* The account log has the range that begins.  True if the ring of events has the event now. */
static bool put(struct task *t, uint64_t number, uint64_t now)
{
    const volatile struct monitor_record *const from = &t->monitor.page->record[number % MONITOR_RECORDS];
    const uint64_t code = from->code, before = trace_ring.put;
    uint64_t time = from->time;

    if (!is_possible(&t->monitor, &time, now)) {
        t->denied.event_times++;
        return false;
    }
    t->monitor.last = time;
    if (task_activity_on)
        activity_enter_range(t, (uint8_t)code, time);
    if (!trace_takes(TRACE_USER))
        return false;
    if (__builtin_expect(trace_ring.ruled & trace_bit(TRACE_USER), 0))
        trace_ruler->put_late(time - account.nmi_time, code & TRACE_ARGUMENT_MAX);
    else
        event_ring_put(&trace_ring, time - account.nmi_time, TRACE_USER, code & TRACE_ARGUMENT_MAX);
    return trace_ring.put != before;
}

/*
 * The first record that is still there; those before it were overwritten.  A task that counts more
 * records than clocks in which it ran has written no count: nothing is taken.
 */
static uint64_t first_of(struct task *t, uint64_t end, uint64_t now)
{
    const uint64_t waiting = end - t->monitor.taken;

    if (waiting <= MONITOR_RECORDS)
        return t->monitor.taken;
    if (waiting > now - t->monitor.begin) {
        t->denied.event_times++;
        return end;
    }
    t->denied.event_room += waiting - MONITOR_RECORDS;
    return end - MONITOR_RECORDS;
}

void task_monitor_take(struct task *t)
{
    volatile struct monitor_page *const page = t->monitor.page;
    const uint64_t end = page->put, now = rdtsc();
    const bool wanted = trace_takes(TRACE_USER) || task_activity_on;
    uint64_t records = 0;

    for (uint64_t n = wanted ? first_of(t, end, now) : end; n != end; n++)
        records += put(t, n, now);
    event_ring_merge_last(&trace_ring, records, moved);
    if (__builtin_expect(trace_ring.ruled & trace_bit(TRACE_USER), 0))
        trace_ruler->settle();
    t->monitor.taken = end;
    page->limit = wanted ? end + MONITOR_RECORDS : UINT64_MAX;
}

void task_monitor_leave(struct task *t)
{
    task_monitor_take(t);
    t->monitor.begun = t->monitor.begin;
    t->monitor.left = rdtsc();
}

void task_monitor_enter(struct task *t)
{
    t->monitor.begin = rdtsc();
    t->monitor.away += t->monitor.begin - t->monitor.left;
    t->monitor.page->away = t->monitor.away;
}

static const void *at(const struct task *t, uint64_t offset)
{
    const uint64_t virtual = CALL_TABLE + offset;
    const uint8_t *const page = t->monitor.page ? paging_lookup(t->space, virtual & ~(uint64_t)(PAGE_SIZE - 1)) : 0;

    return page ? page + virtual % PAGE_SIZE : 0;
}

const struct call_head *task_monitor_calls(const struct task *t)
{
    return at(t, 0);
}

const struct call_row *task_monitor_call_row(const struct task *t, uint32_t number)
{
    return at(t, number * sizeof(struct call_row));
}

/* The pages for a profile: all are made with the task, so that nothing is allocated where one is first touched. */

bool task_profil_open(struct task *t)
{
    for (unsigned i = 0; i < PROFIL_AREA_PAGES; i++)
        if (!paging_map_hidden(t->space, PROFIL_AREA + i * PAGE_SIZE, PAGE_USER | PAGE_WRITE | PAGE_NO_CODE))
            return false;
    return true;
}
