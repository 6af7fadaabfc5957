/* SPDX-License-Identifier: MIT */
/* monitor=acct. */
#include "kernel/monitor/account_log.h"

#include "kernel/account/exact_time.h"
#include "kernel/sched/activity.h"
#include "kernel/tick/window.h"
#include "probe/schedule/memory.h"

#define ENDED 1024u /* records that wait for PROBE; a power of two */

static struct account_row base[TASKS_MAX]; /* what a row had when its task, or the window, began; interrupts off, as all below */
static struct account_log_row closed[TASKS_MAX];
static uint32_t closed_rows;
static uint64_t closed_at, lost;
static struct account_log_row ended[ENDED];
static uint32_t head, tail; /* of ended[] */
static uint32_t due;        /* of ended[]: where those begin that have ended since the rows were closed */

static bool is_used(uint32_t number)
{
    return number < TASKS_MAX && tasks[number].state != TASK_FREE;
}

static void time_of(struct account_row *to, uint32_t number)
{
    for (unsigned mode = 0; mode < MODES; mode++)
        for (unsigned masked = 0; masked < 2; masked++)
            to->time[mode][masked] = tasks[number].account.time[mode][masked] - base[number].time[mode][masked];
}

static void read_task(struct account_log_row *to, const struct task *t)
{
    to->birth = t->birth;
    to->id = t->id;
    to->ended = t->state == TASK_ENDED;
    time_of(&to->time, t->number);
    to->calls = t->calls;
    to->denied = t->denied.calls;
    to->faults = t->faulted;
    to->pages = t->pages;
    to->io_done = t->io_done;
    to->io_time = t->io_time;
    to->activity = t->activity;
}

/* An ended task that no record told yet. */
static bool is_to_tell(const struct task *t)
{
    return t->state == TASK_ENDED && t->birth != 0;
}

static void tell_end(struct task *t)
{
    if (!is_to_tell(t))
        return;
    if (head - tail == ENDED)
        lost++;
    else
        read_task(&ended[head++ % ENDED], t);
    t->birth = 0;
    base[t->number] = t->account;
}

static void reuse(struct task *t)
{
    const bool on = irq_save();

    tell_end(t);
    irq_restore(on);
}

/* It has no number yet: no tick reads it. */
static void begins(struct task *t)
{
    base[t->number] = t->account;
}

/* The row of slot `to` is about to get the times of `from`: they are none of its task's. */
static void merged(uint32_t from, uint32_t to)
{
    for (unsigned mode = 0; mode < MODES; mode++)
        for (unsigned masked = 0; masked < 2; masked++)
            base[to].time[mode][masked] += tasks[from].account.time[mode][masked];
}

/* What ended before the window has no record in it. */
static void begin(uint64_t now)
{
    static const struct window_slots slots = { .reuse = reuse, .begins = begins, .merged = merged };

    closed_at = now;
    head = tail = due = 0;
    lost = 0;
    for (uint32_t i = 0; is_used(i); i++) {
        base[i] = tasks[i].account;
        if (tasks[i].state == TASK_ENDED)
            tasks[i].birth = 0;
    }
    activity_begin();
    window_watch_slots(&slots);
}

static void end(void)
{
    activity_end();
    window_watch_slots(0);
}

static void close(uint64_t now)
{
    closed_at = now;
    closed_rows = 0;
    for (uint32_t i = 0; is_used(i); i++) {
        tell_end(&tasks[i]);
        if (tasks[i].birth != 0 && tasks[i].state != TASK_CLAIMED)
            read_task(&closed[closed_rows++], &tasks[i]);
    }
    due = head;
}

const struct software_monitor monitor_account_log = {
    .word = MONITOR_ACCT, .begin = begin, .end = end, .close = close,
};

bool account_log_row(uint32_t number, struct account_log_row *to)
{
    if (number >= closed_rows)
        return false;
    *to = closed[number];
    return true;
}

bool account_log_take(struct account_log_row *to)
{
    const bool on = irq_save(), any = due != tail;

    if (any)
        *to = ended[tail++ % ENDED];
    irq_restore(on);
    return any;
}

bool account_log_is_filling(void)
{
    return head - tail >= ENDED / 2;
}

uint64_t account_log_lost(void)
{
    return lost;
}

uint64_t account_log_time(void)
{
    return closed_at;
}
