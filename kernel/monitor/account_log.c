/* SPDX-License-Identifier: MIT */
/*
 * monitor=acct: the account log (Thurner 2.2): what each task has used, every acct= seconds and
 * once after its end.  Times are the account's, of the task since the window began or since it was made; with
 * those of ended tasks they add up to the exact table.
 */
#include "kernel/account/exact_time.h"
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/monitor/software_monitors.h"
#include "kernel/sched/activity.h"
#include "kernel/sched/task.h"
#include "kernel/tick/window.h"
#include "probe/schedule/memory.h"

#define ENDED 1024u /* records that wait for PROBE; a power of two */

/* what a row had when its task, or the window, began; interrupts off, as all below */
static struct account_row base[TASKS_MAX];
static struct wire_acct_row closed[TASKS_MAX];
static uint32_t closed_rows;
static uint64_t closed_at, lost;
static struct wire_acct_row ended[ENDED];
static uint32_t head, tail; /* of ended[] */
static uint32_t due;        /* of ended[]: where those begin that have ended since the rows were closed */

static bool is_used(uint32_t number)
{
    return number < TASKS_MAX && tasks[number].state != TASK_FREE;
}

/* With interrupts on and off. */
static uint64_t time_of(uint32_t number, enum mode mode)
{
    const uint64_t *const now = tasks[number].account.time[mode], *const then = base[number].time[mode];

    return now[0] - then[0] + now[1] - then[1];
}

static void read_task(struct wire_acct_row *to, const struct task *t)
{
    const struct task_activity *const a = &t->activity;

    *to = (struct wire_acct_row){
        .task = t->birth, .id = t->id, .ended = t->state == TASK_ENDED, .user = time_of(t->number, MODE_USER),
        .supervisor = time_of(t->number, MODE_SUPERVISOR), .kernel = time_of(t->number, MODE_KERNEL),
        .interrupt = time_of(t->number, MODE_INTERRUPT), .switches = a->switches, .calls = t->calls,
        .denied = t->denied.calls, .faults = t->faulted, .pages = t->pages, .io = t->io_done, .io_time = t->io_time,
        .activations = a->activations, .response = a->response, .response_greatest = a->greatest,
    };
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

/* ---- the report: the records ACCT and RANGES ---- */

/*
 * Take the record of a task that had ended when the rows were closed.
 * One that ended since has a closed row, and is next.
 */
static bool take(struct wire_acct_row *to)
{
    const bool on = irq_save(), any = due != tail;

    if (any)
        *to = ended[tail++ % ENDED];
    irq_restore(on);
    return any;
}

/* All ranges that were entered.  PROBE runs: all other tasks have left the processor, so that nothing is missing. */
static void send_ranges(uint64_t serial)
{
    frame_tx_begin(WIRE_RANGES, &(struct wire_ranges){
        .epoch = frame_tx_epoch(), .serial = serial, .time = rdtsc() - run_state->start });
    for (unsigned i = 0; i < ACTIVITY_RANGES; i++) {
        const struct activity_range r = activity_range((uint8_t)i);

        if (r.times != 0)
            frame_tx_row(&(struct wire_ranges_row){ i, r.times, r.time });
    }
    frame_tx_end_rows();
}

/* Every acct= seconds, at the end, and before ended tasks find no room. */
static bool is_due(const struct monitor_turn *t)
{
    return t->final || t->second % run_config()->acct == 0 || head - tail >= ENDED / 2;
}

static void put_frames(const struct monitor_turn *t)
{
    struct wire_acct_row r = { 0 };

    if (!is_due(t))
        return;
    frame_tx_begin(WIRE_ACCT, &(struct wire_acct){
        .epoch = frame_tx_epoch(), .serial = t->serial, .time = closed_at - run_state->start, .lost = lost,
    });
    while (take(&r))
        frame_tx_row(&r);
    for (uint32_t i = 0; i < closed_rows; i++)
        frame_tx_row(&closed[i]);
    frame_tx_end_rows();
    send_ranges(t->serial);
}

const struct software_monitor monitor_acct = {
    .word = MONITOR_ACCT, .begin = begin, .end = end, .close = close, .put_frames = put_frames,
};
