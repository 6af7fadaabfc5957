/* SPDX-License-Identifier: MIT */
/* Tasks that a task makes and sees to the end of. */
#include "kernel/sched/children.h"

#include "drivers/io.h"
#include "kernel/sched/task.h"

void child_start(struct child *c, struct task *t, uint64_t clocks)
{
    t->kept = true;
    *c = (struct child){ t, rdtsc() + clocks };
    task_start(t);
}

bool child_poll(struct child *c, struct children *sum)
{
    struct task *const t = c->task;
    bool late;

    if (t == 0)
        return true;
    late = t->state != TASK_ENDED && rdtsc() >= c->until;
    if (late)
        task_terminate(t);
    if (t->state != TASK_ENDED)
        return false;
    sum->faulted += t->faulted;
    sum->exited += !t->faulted && !t->terminated;
    sum->terminated += t->terminated;
    sum->calls += t->calls;
    sum->denied += t->denied.calls;
    t->kept = false;
    c->task = 0;
    return true;
}

void children_wait(const struct child *c, unsigned count)
{
    uint64_t first = UINT64_MAX;

    for (unsigned i = 0; i < count; i++)
        if (c[i].task != 0 && c[i].until < first)
            first = c[i].until;
    task_wait_child(first);
}
