/* SPDX-License-Identifier: MIT */
/* Which slot of tasks[] a new task is made in. */
#include "kernel/task_slot.h"

#include "drivers/io.h"
#include "kernel/account.h"

/* The slot of the row's task that ended first; NULL: none has. */
static struct task *ended_of(uint32_t id)
{
    struct task *first = 0;

    for (uint32_t i = 1; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++) {
        struct task *t = &tasks[i];

        if (t->state == TASK_ENDED && t->id == id && (first == 0 || t->ended < first->ended))
            first = t;
    }
    return first;
}

/* tasks[0] is IDLE. */
static struct task *never_used(void)
{
    for (uint32_t i = 1; i < TASKS_MAX; i++)
        if (tasks[i].state == TASK_FREE) {
            tasks[i].number = i;
            return &tasks[i];
        }
    return 0;
}

/* Interrupts off. */
static struct task *find(uint32_t id)
{
    struct task *const t = ended_of(id);

    return t != 0 ? t : never_used();
}

struct task *task_slot_claim(uint32_t id)
{
    const bool on = masked_enter();
    struct task *const t = find(id);

    if (t != 0) {
        t->id = id;
        t->state = TASK_NEW;
    }
    masked_leave(on);
    return t;
}

void task_slot_ended(struct task *t)
{
    t->ended = rdtsc();
    t->state = TASK_ENDED;
}
