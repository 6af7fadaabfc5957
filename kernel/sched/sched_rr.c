/* SPDX-License-Identifier: MIT */
/* Round robin: each tick of the system clock ends the turn of the running task. */
#include "kernel/sched/sched.h"

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
    .choose = choose, .preempts = preempts, .tick = tick, .classes = &sched_classes,
};
