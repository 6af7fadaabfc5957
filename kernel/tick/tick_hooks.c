/* SPDX-License-Identifier: MIT */
/* The callbacks that the scheduler and task creation have from this room, which is above them. */
#include "kernel/tick/window.h"

#include "kernel/account/exact_time.h"
#include "kernel/lib/string.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/task.h"
#include "kernel/sched/task_slot.h"

/* Retiring the rows of ended tasks into row ENDED. */

#define MONITORS 2

static struct system_monitor *const monitors[MONITORS] = { &probe.system, &probe2.system };

static bool is_used(uint32_t number)
{
    return number < TASKS_MAX && tasks[number].state != TASK_FREE;
}

/* Another slot of the same row; NULL: there is none. */
static struct task *sibling(const struct task *t)
{
    for (uint32_t i = 1; is_used(i); i++)
        if (tasks[i].id == t->id && &tasks[i] != t)
            return &tasks[i];
    return 0;
}

/* Whether all tasks of a row have ended, and when the last one did. */
static bool has_ended(uint32_t id, uint64_t *when)
{
    bool any = false;

    *when = 0;
    for (uint32_t i = 0; is_used(i); i++) {
        if (tasks[i].id != id)
            continue;
        if (tasks[i].state != TASK_ENDED)
            return false;
        any = true;
        *when = tasks[i].ended > *when ? tasks[i].ended : *when;
    }
    return any;
}

/* Interrupts off. */
static void retire_masked(uint32_t id)
{
    for (unsigned i = 0; i < MONITORS; i++)
        system_retire_begin(monitors[i], id);
    for (uint32_t i = 1; is_used(i); i++)
        if (tasks[i].id == id) {
            task_set_id(&tasks[i], ROW_ENDED);
            tasks[i].program = 0;
            string_copy(tasks[i].name, ROW_ENDED_NAME, sizeof tasks[i].name);
        }
    for (unsigned i = 0; i < MONITORS; i++)
        system_retire_end(monitors[i]);
}

static void retire(uint32_t id)
{
    const bool on = irq_save();

    retire_masked(id);
    irq_restore(on);
}

static void fold(const struct task *from, const struct task *to)
{
    const bool on = irq_save();

    window_merge_rows(from->number, to->number);
    irq_restore(on);
}

/* Row ENDED itself keeps one slot. */
static bool can_go(const struct task *t)
{
    return task_slot_is_over(t) && (t->id != ROW_ENDED || sibling(t) != 0);
}

static struct task *longest_ended(void)
{
    struct task *first = 0;

    for (uint32_t i = 1; is_used(i); i++)
        if (can_go(&tasks[i]) && (first == 0 || tasks[i].ended < first->ended))
            first = &tasks[i];
    return first;
}

/*
 * Returns the slot of the task that ended first.  Its exact times are moved to another slot of
 * its row; where it is the last slot of its row, the row is added to ENDED.  NULL: no task has ended.
 */
static struct task *exited_tasks_slot(void)
{
    struct task *t;

    while ((t = longest_ended()) != 0) {
        const struct task *to = sibling(t);

        window_slot_reuse(t);
        if (to == 0) {
            retire(t->id);
            to = sibling(t);
        }
        if (to == 0) /* the first retired task: its slot becomes that of ENDED */
            continue;
        fold(t, to);
        return t;
    }
    return 0;
}

/* Of the rows in its places the one that ended first; 0: none has ended. */
static uint32_t in_the_way(const struct system_monitor *m, uint32_t id)
{
    uint64_t first = UINT64_MAX;
    uint32_t found = 0;

    for (uint32_t probe = 0; probe < SYSTEM_PROBES; probe++) {
        const uint32_t row = system_row_at(m, id, probe);
        uint64_t when;

        if (has_ended(row, &when) && when < first) {
            first = when;
            found = row;
        }
    }
    return found;
}

static bool reserve(struct system_monitor *m, uint32_t id)
{
    const bool on = irq_save();
    const bool found = system_reserve(m, id);

    irq_restore(on);
    return found;
}

static void make_room(struct system_monitor *m, uint32_t id)
{
    const uint32_t row = reserve(m, id) ? 0 : in_the_way(m, id);

    if (row == 0)
        return;
    retire(row);
    reserve(m, id);
}

/*
 * Reserve a record of the system monitor for the samples of row `id`.  If its places are taken,
 * the row among them that ended first is retired.  If none of those has ended, the samples will
 * be lost, and counted as lost.
 */
static void exited_tasks_record(uint32_t id)
{
    for (unsigned i = 0; i < MONITORS; i++)
        make_room(monitors[i], id);
}

static uint64_t samples_of(uint32_t id)
{
    return system_hits(&probe.system, id);
}

static uint64_t mean_interval(void)
{
    const struct source_facts *f = &tick_facts.source;

    return (f->mean >> 16) * f->clock_65536 >> 16;
}

void tick_set_hooks(void)
{
    static const struct task_retirement retirement = { .slot = exited_tasks_slot, .record = exited_tasks_record,
        .reuse = window_slot_reuse, .begins = window_slot_begins };
    static const struct sched_charge charge = { .samples = samples_of, .interval = mean_interval };

    task_slot_retire_by(&retirement);
    sched_decay_charge_by(&charge);
}
