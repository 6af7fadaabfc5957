/* SPDX-License-Identifier: MIT */
/* A policy that counts passes, and leaves each decision to another one. */
#include "kernel/sched/sched.h"

#include "kernel/abi/syscall_numbers.h"

/* All with interrupts off. */
static const struct sched_policy *under; /* it decides */
static struct sched_policy counting;
static struct {
    uint64_t birth; /* of the task that they belong to */
    struct task_passes passes;
} counted[TASKS_MAX]; /* by number */
static uint64_t all;

/* The frame at the top of the stack at ring 0 is that of the last entry from ring 3 or ring 1. */
static bool was_in_user_code(const struct task *t)
{
    const struct frame *const entry = (const struct frame *)t->stack0 - 1;

    return t->program != 0 && frame_ring(entry->cs) == 3 && entry->vector != SYSCALL_VECTOR;
}

static void pass(const struct task *t, bool user)
{
    struct task_passes *const p = &counted[t->number].passes;

    if (counted[t->number].birth != t->birth) {
        counted[t->number].birth = t->birth;
        *p = (struct task_passes){ .user = 0 };
    }
    if (user)
        p->user++;
    else
        p->system++;
    all++;
}

static void leave(const struct task *t)
{
    pass(t, was_in_user_code(t));
    if (under->leave != 0)
        under->leave(t);
}

static bool idle_runs(void)
{
    return current == &tasks[0];
}

/* leave() is not called of IDLE: it goes through the scheduler here, or by a tick that finds nobody. */
static struct task **choose(struct task **queue)
{
    if (idle_runs())
        pass(current, false);
    return under->choose(queue);
}

static bool tick(const struct task *queue)
{
    if (idle_runs() && queue == 0)
        pass(current, false);
    return under->tick(queue);
}

const struct sched_policy *sched_passes_over(const struct sched_policy *policy)
{
    under = policy;
    counting = *policy;
    counting.choose = choose;
    counting.tick = tick;
    counting.leave = leave;
    return &counting;
}

struct task_passes sched_passes_of(const struct task *t)
{
    return counted[t->number].birth == t->birth ? counted[t->number].passes : (struct task_passes){ .user = 0 };
}

uint64_t sched_passes_all(void)
{
    return all;
}
