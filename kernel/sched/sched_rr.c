/* SPDX-License-Identifier: MIT */
/*
 * Chooses round robin: each tick of the system clock ends the turn of the running task.  Once a task has a priority
 * it goes on with strict classes by priority, so that a system without priorities pays nothing for them.
 */
#include "kernel/sched/sched.h"

/*
 * Strict classes, round robin within a class: a task runs only while none of a better
 * class is ready, as idle, regular and time-critical threads of OS/2 do.
 */

/* Of the best class, the task that waited longest. */
static struct task **classes_choose(struct task **queue)
{
    struct task **best = queue;

    for (struct task **at = &(*queue)->next; *at != 0; at = &(*at)->next)
        if ((*at)->priority > (*best)->priority)
            best = at;
    return best;
}

static bool classes_preempts(const struct task *t)
{
    return t->priority > current->priority;
}

/* Where none of its class is ready, classes_choose() takes the running task again. */
static bool classes_tick(const struct task *queue)
{
    return queue != 0;
}

static const struct sched_policy classes = {
    .choose = classes_choose, .preempts = classes_preempts, .tick = classes_tick,
};

/* Round robin */

static struct task **choose(struct task **queue)
{
    return queue;
}

static bool preempts(const struct task *t)
{
    (void)t;
    return false;
}

static bool tick(const struct task *queue)
{
    (void)queue;
    return true;
}

const struct sched_policy sched_rr = {
    .choose = choose, .preempts = preempts, .tick = tick, .classes = &classes,
};
