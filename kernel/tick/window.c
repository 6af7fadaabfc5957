/* SPDX-License-Identifier: MIT */
/*
 * Windows: the port of the probe to this executive.  A window begins with the
 * first arming of the source, and a tick closes it, rows and all.
 */
#include "kernel/tick/window.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/tick/trace_control.h"
#include "probe/schedule/memory.h"

static struct closed_rows {
    uint32_t count;
    struct closed_row row[TASKS_MAX];
} closed[SAMPLERS];                             /* by the tick that closed each sampler's window; ISR */
static struct account_row base_rows[TASKS_MAX]; /* when the window began; interrupts off */
static struct {
    volatile bool moving;
    uint32_t from, to;
    struct account_row sum; /* of both, since the window began */
} merge; /* legend at window_merge_rows(); interrupts off */
static uint64_t base_clock, base_sum; /* the account's clock then, and the sum of all rows */

static const struct window_watch *watch; /* NULL: nothing else counts by windows; set once */

void window_watch_by(const struct window_watch *by)
{
    watch = by;
}

static const struct window_slots *slots; /* NULL: nobody keeps counters by slot; interrupts off */

void window_watch_slots(const struct window_slots *by)
{
    slots = by;
}

void window_slot_reuse(struct task *ended)
{
    if (slots != 0)
        slots->reuse(ended);
}

void window_slot_begins(struct task *t)
{
    if (slots != 0)
        slots->begins(t);
}

static struct closed_rows *rows_of(const struct probe *p)
{
    return &closed[p == &probe2];
}

/* The times of a row since the window began. */
static void row_since_begin(struct account_row *to, uint32_t number)
{
    const struct account_row *const now = &tasks[number].account, *const base = &base_rows[number];

    for (unsigned mode = 0; mode < MODES; mode++)
        for (unsigned masked = 0; masked < 2; masked++)
            to->time[mode][masked] = now->time[mode][masked] - base->time[mode][masked];
}

/* While a slot changes rows (TASK_CLAIMED) its id and name may be of different rows. */
static void copy_row(struct closed_row *to, uint32_t number)
{
    const struct task *const t = &tasks[number];

    row_since_begin(&to->exact, number);
    to->id = t->state != TASK_CLAIMED ? t->id : 0;
    to->program = t->program;
    memcpy(to->name, t->name, sizeof to->name);
}

static void copy_exact_rows(struct probe *p)
{
    struct closed_rows *const c = rows_of(p);

    for (c->count = 0; c->count < TASKS_MAX && tasks[c->count].state != TASK_FREE; c->count++)
        copy_row(&c->row[c->count], c->count);
    if (!merge.moving)
        return;
    c->row[merge.to].exact = merge.sum;
    memset(&c->row[merge.from].exact, 0, sizeof c->row[merge.from].exact);
}

/* An NMI may close the window between any two of these stores: it then uses merge.sum. */
void window_merge_rows(uint32_t from, uint32_t to)
{
    struct account_row one;

    if (slots != 0)
        slots->merged(from, to);
    row_since_begin(&merge.sum, to);
    row_since_begin(&one, from);
    account_row_add(&merge.sum, &one);
    merge.from = from;
    merge.to = to;
    __asm__ volatile("" : : : "memory");
    merge.moving = true;
    __asm__ volatile("" : : : "memory");
    account_row_add(&tasks[to].account, &tasks[from].account);
    account_row_add(&base_rows[to], &base_rows[from]);
    memset(&tasks[from].account, 0, sizeof tasks[from].account);
    memset(&base_rows[from], 0, sizeof base_rows[from]);
    __asm__ volatile("" : : : "memory");
    merge.moving = false;
}

/* The sum of all rows of tasks. */
static uint64_t sum_rows(void)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        for (unsigned mode = 0; mode < MODES; mode++)
            sum += tasks[i].account.time[mode][0] + tasks[i].account.time[mode][1];
    return sum;
}

/* From a tick by IRQ, which the counters of others are whole in; the second source closes its window by itself. */
static void close_rows(struct probe *p)
{
    copy_exact_rows(p);
    if (watch != 0 && p == &probe)
        watch->close(p->closed.counters.end);
}

/*
 * The moment up to which time is charged, by the account's clock.  While a change of cell is under
 * way it is computed from the rows, which may or may not contain that change.
 */
static uint64_t accounted(void)
{
    return account.generation & 1 ? base_clock + sum_rows() - base_sum : account.last;
}

/*
 * The same from an NMI, which can come between any two instructions of the account: the account
 * is not changed, and time that is not charged yet is added to the copy.
 */
static void copy_rows_nmi(struct probe *p)
{
    struct probe_counters *const c = &p->closed.counters;
    struct closed_rows *const rows = rows_of(p);
    uint64_t pending = c->end - account.nmi_time - accounted();

    copy_exact_rows(p);
    if (!account_on)
        return;
    if ((int64_t)pending < 0) { /* the account is ahead: at the exit of an interrupt */
        c->end -= pending;
        pending = 0;
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        const uint64_t at = (uint64_t)account.cell - (uint64_t)&tasks[i].account;

        if (at < sizeof rows->row[i].exact)
            *(uint64_t *)((uint8_t *)&rows->row[i].exact + at) += pending;
    }
}

static void begin_rows(uint64_t now)
{
    base_clock = now - account.nmi_time;
    if (account_on)
        account_switch_at(&account, base_clock, account.cell);
    account.generation = 0;
    for (uint32_t i = 0; i < TASKS_MAX; i++)
        base_rows[i] = tasks[i].account;
    base_sum = sum_rows();
    if (watch != 0)
        watch->begin(now);
    trace_control_mark();
}

/* Reserve a record for each row of a task that has not ended, before other rows can take it. */
static void reserve_rows(struct system_monitor *m)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (tasks[i].state != TASK_ENDED)
            system_reserve(m, tasks[i].id);
}

static void prepare_probe(struct probe *p)
{
    p->copy_exact_rows = p->via_nmi ? copy_rows_nmi : close_rows;
    p->clock = rdtsc;
    p->account = &account;
    p->exact = account_on;
    probe_prepare(p);
    probe_clear(p);
}

/*
 * The second sampler has the monitors and regions of the first; what else looks at samples takes those of one source.
 */
static void prepare_probe2(void)
{
    memcpy(probe2.region_request, probe.region_request, probe.regions * sizeof *probe.region_request);
    probe2.regions = probe.regions;
    probe_set_monitors(&probe2, probe.monitors & ~(uint32_t)PROBE_WATCHED);
    prepare_probe(&probe2);
}

void window_prepare(void)
{
    if (tick_source2 != 0)
        prepare_probe2();
    prepare_probe(&probe);
}

/* Both samplers begin at the same moment, so that they share base_rows. */
void window_begin(void)
{
    uint64_t now;

    window_stop(); /* no interrupt requested before may come into the window */
    trace_control_begin();
    if (tick_source2 != 0)
        reserve_rows(&probe2.system);
    reserve_rows(&probe.system);
    now = rdtsc();
    begin_rows(now);
    tick_source->start(&probe, sampler_at(0).facts, probe_begin_at(&probe, now));
    if (tick_source2 != 0)
        tick_source2->start(&probe2, sampler_at(1).facts, probe_begin_at(&probe2, now));
}

void window_stop(void)
{
    tick_source->stop();
    if (tick_source2 != 0)
        tick_source2->stop();
}

void window_begin_without_ticks(void)
{
    memset(&probe.counters, 0, sizeof probe.counters);
    trace_control_begin();
    probe.counters.begin = rdtsc();
    begin_rows(probe.counters.begin);
}

void window_close_without_ticks(void)
{
    const uint64_t now = rdtsc();

    if (account_on == ACCOUNT_KEPT)
        account_switch_at(&account, now, account.cell);
    else
        account_log_change(now, account.cell); /* to the same cell: no event */
    probe.closed = (struct probe_closed){ .region = probe.closed.region };
    memset(probe.closed.region, 0, REGIONS_MAX * sizeof *probe.closed.region);
    probe.closed.counters.begin = probe.counters.begin;
    probe.closed.counters.end = now;
    probe.closed.transitions = account_transitions(&account);
    close_rows(&probe);
}

const struct closed_row *window_closed_row(const struct probe *p, uint32_t number)
{
    const struct closed_rows *const c = rows_of(p);

    return number < c->count ? &c->row[number] : 0;
}
