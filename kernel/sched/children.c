/* SPDX-License-Identifier: MIT */
/* A task of ring 0 that keeps a few other tasks running. */
#include "kernel/sched/children.h"

#include <stdbool.h>

#include "drivers/io.h"
#include "kernel/sched/task.h"

/* A place for one child at a time. */
struct child {
    struct task *task; /* NULL: the place is free */
    uint64_t until;    /* TSC: when it is ended */
};

static void start(struct child *c, struct task *t, uint64_t life)
{
    t->kept = true;
    *c = (struct child){ t, rdtsc() + life };
    task_start(t);
}

static void count(const struct task *t, struct children *sum)
{
    sum->faulted += t->faulted;
    sum->exited += !t->faulted && !t->terminated;
    sum->terminated += t->terminated;
    sum->calls += t->calls;
    sum->denied += t->denied.calls;
}

/* Whether the place is free.  Ends a child whose time is over, and counts one that has ended. */
static bool is_free(struct child *c, struct children *sum)
{
    struct task *const t = c->task;

    if (t == 0)
        return true;
    if (t->state != TASK_ENDED && rdtsc() >= c->until)
        task_terminate(t);
    if (t->state != TASK_ENDED)
        return false;
    count(t, sum);
    t->kept = false;
    c->task = 0;
    return true;
}

/* Sleep until a child has ended or its time is over. */
static void wait(const struct child *c, unsigned places)
{
    uint64_t first = UINT64_MAX;

    for (unsigned i = 0; i < places; i++)
        if (c[i].task != 0 && c[i].until < first)
            first = c[i].until;
    task_wait_child(first);
}

_Noreturn void children_run(const struct child_kind kind[], unsigned kinds, uint64_t most, uint64_t life)
{
    struct child child[CHILDREN_MAX] = { { .task = 0 } };
    uint64_t made = 0;

    for (;;) {
        for (unsigned i = 0; i < kinds; i++) {
            struct task *const t = is_free(&child[i], kind[i].sum) && made != most ? kind[i].make(made) : 0;

            if (t == 0)
                continue;
            made++;
            start(&child[i], t, life);
        }
        wait(child, kinds);
    }
}
