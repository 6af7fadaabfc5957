/* SPDX-License-Identifier: MIT */
/*
 * Decay-usage scheduling, after 4.3BSD (Leffler, McKusick, Karels, Quarterman,
 * "The Design and Implementation of the 4.3BSD UNIX Operating System", 4.4):
 * a task that used much of the processor lately waits for tasks that used less.
 *
 * The use of a task is what the probe charged it: each sample counts as one mean
 * interval between samples.  The scheduler reads the samples from the records of the
 * system monitor when a task loses the processor and at each clock tick, so that the
 * probe's tick does no work for it.  A scheduler that relies on a sampler in step with
 * its clock is cheated by a task that sleeps at each tick (McCanne and Torek, "A CPU
 * Adversary").
 *
 * Unlike 4.3BSD: the load is that of the last second, not a mean over a minute; tasks of
 * equal priority take turns at each clock tick, not each tenth of a second; and no task
 * sleeps at a kernel priority, but with sched=decay-wake.  There a task that slept has a
 * priority better than any task at user level, whatever it used, until it gets the
 * processor; then it has that of its use again, but nobody compares before the next tick.
 */
#include "drivers/io.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/timer.h"

#define BEST        50u  /* priority of a task that used nothing; a lower number is better */
#define ONE_TICK    256u /* of use: a tick of the system clock */
#define USED_MOST   (255u * ONE_TICK) /* the largest use that is remembered */
#define USED_WORSE  (4u * ONE_TICK)   /* so much use makes the priority worse by one */
/* a task at idle priority that used nothing: worse by a class than a regular one that used most */
#define IDLE_WORSE  68u
#define EQUAL_SHIFT 2    /* four priorities make one class */
#define WOKEN_CLASS 1u   /* better than BEST, and not as good as a time-critical task */
#define REVIEW      4u   /* clock ticks after which the running task's priority is computed again */
#define SECOND_US   1000000u
#define ONE_Q16     65536u

static struct usage {
    uint64_t seen;     /* samples of its row when it was charged last */
    uint64_t used;     /* in parts of ONE_TICK, decayed each second */
    uint32_t priority;
    bool slept;        /* and has not run since; never set but by sched=decay-wake */
} usage[TASKS_MAX];    /* by number; interrupts off */

/* Interrupts off, as all below. */
static uint64_t next_second; /* clock units; 0: at the first tick */
static uint32_t ticks;       /* of the system clock in the present second */
static uint32_t runnable;    /* ready and running tasks, summed over those ticks */
static uint64_t worth;       /* the use that a sample stands for; set at the first tick */

static const struct sched_charge *charge; /* set once */

void sched_decay_charge_by(const struct sched_charge *by)
{
    charge = by;
}

static uint32_t class_of(const struct task *t)
{
    if (usage[t->number].slept && t->priority == PRIORITY_REGULAR)
        return WOKEN_CLASS;
    return (BEST + usage[t->number].priority) >> EQUAL_SHIFT;
}

static void admit(const struct task *t)
{
    usage[t->number] = (struct usage){ .seen = 0 };
}

static void enter(const struct task *t)
{
    usage[t->number].slept = false;
    usage[t->number].seen = charge->samples(t->id);
}

/* Tasks may share a row: the samples of the row since `t` got the processor are those of `t`. */
static void leave(const struct task *t)
{
    struct usage *u = &usage[t->number];
    const uint64_t hits = charge->samples(t->id);
    const uint64_t all = u->used + (hits - u->seen) * worth;

    u->used = all < USED_MOST ? all : USED_MOST;
    u->seen = hits;
}

static void leave_to_wake(const struct task *t)
{
    leave(t);
    usage[t->number].slept = t->state == TASK_SLEEPING;
}

/* A time-critical task is better than any by as much as a task can be, and what it used does not matter. */
static void review(const struct task *t)
{
    uint32_t priority = (uint32_t)(usage[t->number].used / USED_WORSE);

    if (t->priority < PRIORITY_REGULAR)
        priority += IDLE_WORSE;
    else if (t->priority > PRIORITY_REGULAR)
        priority = -BEST;
    usage[t->number].priority = priority;
}

/* Of the best class, the task that waited longest. */
static struct task **choose(struct task **queue)
{
    struct task **best = queue;

    for (struct task **at = &(*queue)->next; *at != 0; at = &(*at)->next)
        if (class_of(*at) < class_of(*best))
            best = at;
    return best;
}

static bool preempts(const struct task *t)
{
    return class_of(t) < class_of(current);
}

/*
 * Once a second: the part 2 load / (2 load + 1) of each use is kept, so that under any
 * load nine tenths of it are forgotten after about 5 load seconds.
 */
static void decay(void)
{
    const uint64_t twice = 2 * (uint64_t)runnable;
    const uint64_t kept_q16 = twice * ONE_Q16 / (twice + ticks);

    for (uint32_t i = 1; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++) {
        usage[i].used = usage[i].used * kept_q16 / ONE_Q16;
        review(&tasks[i]);
    }
    ticks = runnable = 0;
}

static void weigh_samples(void)
{
    worth = charge->interval() * ONE_TICK / (timer_period() >> 16);
}

static void each_second(void)
{
    const uint64_t now = rdtsc();

    if (now < next_second)
        return;
    if (next_second != 0)
        decay();
    else
        weigh_samples();
    next_second = now + timer_us_to_clocks(SECOND_US);
}

static bool tick(const struct task *queue)
{
    const bool running = current != sched_idle();
    bool another = false;

    runnable += running;
    for (const struct task *t = queue; t != 0; t = t->next)
        runnable++;
    ticks++;
    if (running)
        leave(current);
    if (running && ticks % REVIEW == 0)
        review(current);
    each_second();
    for (const struct task *t = queue; t != 0; t = t->next)
        another |= !running || class_of(t) <= class_of(current);
    return another;
}

const struct sched_policy sched_decay = {
    .choose = choose, .preempts = preempts, .tick = tick, .admit = admit, .prioritize = review, .enter = enter,
    .leave = leave,
};

const struct sched_policy sched_decay_wake = {
    .choose = choose, .preempts = preempts, .tick = tick, .admit = admit, .prioritize = review, .enter = enter,
    .leave = leave_to_wake,
};
