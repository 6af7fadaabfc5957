/* SPDX-License-Identifier: MIT */
/*
 * Strict classes by priority, round robin within a class: a task runs only while none of a better
 * class is ready, as idle, regular and time-critical threads of OS/2 do.  Round robin goes on with
 * this once a task has a priority, so that a system without priorities pays nothing for them.
 */
#include "kernel/sched/sched.h"

/* Of the best class, the task that waited longest. */
static struct task **choose(struct task **queue)
{
    struct task **best = queue;

    for (struct task **at = &(*queue)->next; *at != 0; at = &(*at)->next)
        if ((*at)->priority > (*best)->priority)
            best = at;
    return best;
}

static bool preempts(const struct task *t)
{
    return t->priority > current->priority;
}

/* Where none of its class is ready, choose() takes the running task again. */
static bool tick(const struct task *queue)
{
    return queue != 0;
}

const struct sched_policy sched_classes = {
    .choose = choose, .preempts = preempts, .tick = tick,
};
