/* SPDX-License-Identifier: MIT */
/* Charges time to tasks, and samples to the instruction that was executed at their moment. */
#include "tools/hwmon/machine.h"

#include <limits.h>

#include "tools/base/alloc.h"

static struct task_state *state_of(struct machine *m, uint64_t address)
{
    size_t i = 0;
    const size_t running = m->running != NULL ? (size_t)(m->running - m->state) : 0;

    while (i < m->states && m->state[i].address != address)
        i++;
    if (i < m->states)
        return &m->state[i];
    GROW(m->state, m->states);
    if (m->running != NULL)
        m->running = &m->state[running];
    m->state[m->states++] = (struct task_state){ .address = address };
    return &m->state[i];
}

void machine_init(struct machine *m)
{
    m->due = m->alarm = UINT64_MAX;
    m->running = m->next = state_of(m, 0);
    m->running->task = task_named(&m->tasks, "(no task)");
}

/* ---- samples ---- */

static enum mode mode_of(const struct machine *m)
{
    if (m->ring == 3)
        return MODE_USER;
    if (m->ring != 0)
        return MODE_SUPERVISOR;
    return m->running->interrupted ? MODE_INTERRUPT : MODE_KERNEL;
}

/* The instruction of the last block that was executed at `time`: its last one where the machine stood still. */
static const struct insn *insn_at(const struct machine *m, uint64_t time)
{
    const uint64_t done = m->executed - m->block_executed;
    uint64_t i = time < m->block_time ? 0 : (time - m->block_time) >> *m->qemu.shift;

    if (i >= done && done != 0)
        i = done - 1;
    return &m->block->insn[i < m->block->count ? i : m->block->count - 1];
}

static void sample(struct machine *m, uint64_t time)
{
    const struct insn *const insn = insn_at(m, time);
    const struct sample s = { .time = time, .pc = insn->address, .task = m->running->task->id, .mode = mode_of(m) };

    sampler_take(&m->sampler, &s);
    sample_list_add(&m->list, &s, m->running->task->name, insn, insn->data_at > m->block_executed);
}

/* The samples that were due before `now`, all of them in what has run since the last change. */
static void take_samples(struct machine *m, uint64_t now)
{
    while (m->due < now) {
        if (m->block != NULL && m->block->count != 0)
            sample(m, m->due);
        m->due = m->sampler.due + m->monitored;
    }
}

/* ---- time ---- */

/* What hwmon knows of the state; a range is a user event, as in the stream. */
static void charge_class(struct machine *m, uint64_t time)
{
    const struct machine_state state = {
        .task = m->running->task->id, .mode = mode_of(m), .monitor = m->in_monitor,
        .nesting = m->running->interrupted,
        .user = m->running->range != 0 ? EVENT_RANGE + m->running->range - 1 : EVENT_OUTSIDE, .call = CALL_NONE,
        .known = MACHINE_KNOWN | (m->ranges ? KNOWN_USER : 0),
    };

    class_time_add(&m->classes, &state, m->running->task->name, time);
}

static void charge(struct machine *m, uint64_t now)
{
    const uint64_t time = now - m->last;

    m->last = now;
    if (m->classes.on)
        charge_class(m, time);
    m->log.since += time;
    if (!m->in_monitor) {
        m->running->task->time[mode_of(m)] += time;
        if (m->due != UINT64_MAX)
            take_samples(m, now);
        return;
    }
    m->monitored += time;
    m->window.monitor += time;
    if (m->due != UINT64_MAX)
        m->due += time;
}

/* The present cell ends: as TRANSITIONS tells it. */
static void end_cell(struct machine *m)
{
    const uint64_t task = (uint64_t)(m->running->task - m->tasks.task);

    m->window.changes++;
    change_log_end(&m->log, m->in_monitor ? 0 : 1 + 2 * MODES * task + 2 * mode_of(m));
}

static uint64_t time_now(const struct machine *m)
{
    return qemu_time(&m->qemu, m->executed);
}

/* Where no task is told, the time of HLT has a row of its own. */
static void charge_idle(struct machine *m, uint64_t from, uint64_t now)
{
    struct task *const task = m->running->task;

    charge(m, from);
    end_cell(m);
    m->running->task = task_named(&m->tasks, "IDLE");
    charge(m, now);
    end_cell(m);
    m->running->task = task;
}

/* The machine stood still between the end of a block with HLT and now. */
static void count_halt(struct machine *m, uint64_t now)
{
    const uint64_t done = m->block_time + ((m->executed - m->block_executed) << *m->qemu.shift);

    if (now <= done)
        return;
    m->window.halted += now - done;
    m->window.halts++;
    if (m->no_tasks)
        charge_idle(m, done, now);
}

/* The last block ended with IRET, and all of it was executed. */
static bool has_returned(const struct machine *m)
{
    return m->block != NULL && m->block->flags & BLOCK_RETURNS &&
           m->executed - m->block_executed == m->block->count;
}

static void tell(struct machine *m, enum trace_class class, uint64_t argument)
{
    if (m->open && m->events.on)
        event_monitor_record(&m->events, class, m->last, argument);
}

static void enter(struct machine *m, unsigned vector)
{
    m->running->interrupted = true;
    m->running->vector = vector;
    if (vector != 0)
        tell(m, TRACE_IRQ_ENTER, vector - 1);
}

/* Back to code in this ring. */
static void leave(struct machine *m, unsigned ring)
{
    const unsigned vector = m->running->interrupted ? m->running->vector : 0;

    if (m->in_monitor) {
        m->in_monitor = false;
        return;
    }
    m->running->interrupted = false;
    m->ring = ring;
    if (vector != 0)
        tell(m, TRACE_IRQ_EXIT, trace_exit(vector - 1, 2 * mode_of(m)));
}

static void change(struct machine *m, const struct block *b, uint64_t now)
{
    charge(m, now);
    end_cell(m);
    if (has_returned(m))
        leave(m, b->ring);
    if (b->flags & BLOCK_MONITOR)
        m->in_monitor = true;
    else if (b->flags & BLOCK_INTERRUPT)
        enter(m, b->vector);
    m->ring = b->ring;
}

/* After a switch the task that goes on is told where it is. */
static void enter_range(struct machine *m, unsigned range, uint64_t now)
{
    if (m->classes.on)
        charge(m, now);
    m->range = m->running->range = range;
    if (m->open && m->events.on)
        event_monitor_entered(&m->events, range, now);
}

void machine_block(struct machine *m, const struct block *b)
{
    const uint64_t now = time_now(m);
    const uint32_t before = m->block != NULL ? m->block->flags : 0;

    if (before & BLOCK_HALTS)
        count_halt(m, now);
    if (b->ring != m->ring || b->flags & (BLOCK_INTERRUPT | BLOCK_MONITOR) || before & BLOCK_RETURNS)
        change(m, b, now);
    else if (m->due < now)
        charge(m, now);
    if (b->range != m->range)
        enter_range(m, b->range, now);
    m->block = b;
    m->block_executed = m->executed;
    m->block_time = now;
    if (m->alarm <= now)
        m->ring_alarm(m->context);
}

void machine_settle(struct machine *m)
{
    charge(m, time_now(m));
    end_cell(m);
}

void machine_event(struct machine *m, struct event_point *point, uint64_t value)
{
    if (m->open)
        event_monitor_reached(&m->events, point, time_now(m), value);
}

/* ---- tasks and windows ---- */

void machine_next_task(struct machine *m, uint64_t address, const char *name)
{
    m->next = state_of(m, address);
    m->next->task = task_named(&m->tasks, name);
}

/*
 * A handler that ends with a switch of tasks has its IRET much later, when the task runs again:
 * its event is told here.
 */
static void end_before_switch(struct machine *m)
{
    if (m->running->interrupted && m->running->vector != 0)
        tell(m, TRACE_IRQ_EXIT, trace_exit(m->running->vector - 1, 2 * MODE_KERNEL));
    m->running->vector = 0;
}

void machine_switch(struct machine *m)
{
    if (m->next == m->running)
        return;
    machine_settle(m);
    end_before_switch(m);
    m->running = m->next;
    m->range = m->ranges ? UINT_MAX : 0;
    if (m->open && m->events.on)
        event_monitor_record(&m->events, TRACE_SWITCH, m->last, trace_task(m->running->task->id, 0));
}

void machine_open(struct machine *m)
{
    machine_settle(m);
    task_clear(&m->tasks);
    m->window = (struct window){ .begin = m->last, .executed = m->executed };
    m->log.count = 0;
    m->log.since = 0;
    event_monitor_clear(&m->events);
    class_time_open(&m->classes);
    m->range = m->ranges ? UINT_MAX : 0;
    m->open = true;
    if (m->sampler.request.mean == 0)
        return;
    sampler_begin(&m->sampler, m->last - m->monitored);
    m->due = m->sampler.due + m->monitored;
}
