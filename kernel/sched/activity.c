/* SPDX-License-Identifier: MIT */
/* Counts switches, and the time of ranges: a task's stretches are charged when it leaves the processor. */
#include "kernel/sched/activity.h"

#include "kernel/account/exact_time.h"

bool task_activity_on;

static struct activity_range range[ACTIVITY_RANGES]; /* interrupts off, as the next */
static struct task *running;

/* What the task ran since it was charged last belongs to the range in which it is. */
static void charge(struct task *t, uint64_t until)
{
    if (t->activity.range != 0)
        range[t->activity.range - 1].time += until - t->activity.ranged;
    t->activity.ranged = until;
}

void activity_begin(void)
{
    for (uint32_t i = 0; i < TASKS_MAX; i++)
        tasks[i].activity.range = 0;
    for (uint32_t i = 0; i < ACTIVITY_RANGES; i++)
        range[i] = (struct activity_range){ .times = 0 };
    running = current;
    running->activity.ranged = rdtsc();
    task_activity_on = true;
}

void activity_end(void)
{
    task_activity_on = false;
}

/* Events of a page are taken late: such a one does not go behind one by a system call. */
void activity_enter_range(struct task *t, uint8_t number, uint64_t time)
{
    charge(t, time > t->activity.ranged ? time : t->activity.ranged);
    t->activity.range = number + 1u;
    range[number].times++;
}

struct activity_range activity_range(uint8_t number)
{
    const bool on = irq_save();
    const struct activity_range found = range[number];

    irq_restore(on);
    return found;
}

void activity_count_switch(struct task *to)
{
    const uint64_t now = rdtsc();

    charge(running, now);
    running = to;
    to->activity.ranged = now;
    to->activity.switches++;
}
