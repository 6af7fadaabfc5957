/* SPDX-License-Identifier: MIT */
/*
 * Decay-usage scheduling, after 4.3BSD (Leffler, McKusick, Karels, Quarterman,
 * "The Design and Implementation of the 4.3BSD UNIX Operating System", 4.4):
 * who has used much of the processor of late waits for those who have not.
 *
 * What a task has used is what the probe charged it: each sample of it counts as
 * one mean interval of use, that is, about one where the probe ticks as often as
 * the clock.  The samples are looked up in the system monitor's records when a task
 * leaves the processor and at each clock tick, so that the probe's own tick
 * knows nothing of it.  A scheduler that believes a sampler in step with the
 * clock is cheated by whoever steps aside (McCanne and Torek, "A CPU Adversary").
 *
 * Unlike 4.3BSD, the load is that of the last second and not a mean of the last
 * minute, equals take turns each clock tick and not each tenth of a second, and
 * nothing sleeps at a priority of the kernel's.
 */
#include "drivers/io.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/sched_policy.h"
#include "kernel/sched/timer.h"

#define BEST        50u  /* priority of who has used nothing; less is better */
#define ONE_TICK    256u /* of use: a tick of the system clock */
#define USED_MOST   (255u * ONE_TICK) /* more is not remembered */
#define USED_WORSE  (4u * ONE_TICK)   /* makes a priority worse by one */
#define EQUAL_SHIFT 2    /* four priorities are equals */
#define REVIEW      4u   /* clock ticks until the running task's priority is made anew */
#define SECOND_US   1000000u
#define ONE_Q16     65536u

static struct usage {
    uint64_t seen;     /* samples of its row when it was last looked at */
    uint64_t used;     /* charged and not forgotten yet */
    uint32_t priority;
} usage[TASKS_MAX];    /* by number; interrupts off */

/* Interrupts off, as all below. */
static uint64_t next_second; /* clock units; 0: at the first tick */
static uint32_t ticks;       /* of the system clock in the present second */
static uint32_t runnable;    /* tasks that could run, summed over those ticks */
static uint64_t worth;       /* of a sample, in use; set at the first tick */

static const struct sched_charge *charge; /* set once */

void sched_decay_charge_by(const struct sched_charge *by)
{
    charge = by;
}

static uint32_t class_of(const struct task *t)
{
    return (BEST + usage[t->number].priority) >> EQUAL_SHIFT;
}

static void admit(const struct task *t)
{
    usage[t->number] = (struct usage){ .seen = 0 };
}

static void enter(const struct task *t)
{
    usage[t->number].seen = charge->samples(t->id);
}

/* Tasks may share a row: its samples since `t` came are those of `t`. */
static void leave(const struct task *t)
{
    struct usage *u = &usage[t->number];
    const uint64_t hits = charge->samples(t->id);
    const uint64_t all = u->used + (hits - u->seen) * worth;

    u->used = all < USED_MOST ? all : USED_MOST;
    u->seen = hits;
}

static void review(const struct task *t)
{
    usage[t->number].priority = (uint32_t)(usage[t->number].used / USED_WORSE);
}

/* Who waited longest of the best. */
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
 * Once a second: of what was charged, 2 load / (2 load + 1) is remembered, so
 * that under any load nine tenths of it are forgotten in about 5 load seconds.
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
    .choose = choose, .preempts = preempts, .tick = tick, .admit = admit, .enter = enter, .leave = leave,
};
