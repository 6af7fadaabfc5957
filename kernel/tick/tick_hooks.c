/* SPDX-License-Identifier: MIT */
/* The callbacks that the system clock, the scheduler and task creation have from this room, which is above them. */
#include "kernel/tick/window.h"

#include "kernel/sched/sched.h"
#include "kernel/sched/task_slot.h"
#include "kernel/sched/timer.h"
#include "kernel/tick/exited_tasks.h"

/* At each tick of the system clock: a source whose interrupt was lost is restarted. */
static void watch_sources(uint64_t now)
{
    if (tick_source != 0 && tick_source->poll != 0)
        tick_source->poll(now);
    if (tick_source2 != 0 && tick_source2->poll != 0)
        tick_source2->poll(now);
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

    timer_on_tick(watch_sources);
    task_slot_retire_by(&retirement);
    sched_decay_charge_by(&charge);
}
