/* SPDX-License-Identifier: MIT */
/*
 * Paced work.  In each period a task gets so much work that its exact time will equal
 * its share of the time that has passed at the period's end.  So the overhead of its
 * system calls is part of the share, and an error of one period is corrected in the
 * next.  A task whose work is `counted` gets the same work in each period, so that a
 * better program uses less time.
 */
#include "kernel/load/loads.h"

#include "drivers/io.h"
#include "kernel/abi/syscall_numbers.h"
#include "kernel/account/exact_time.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/timer.h"
#include "kernel/tick/window.h"

#define MILLION 1000000u
#define LONGEST (1ull << 48) /* clock units of work: its units fit 64 bits */

static uint64_t unit_q32 = 1ull << 32; /* set once */

static const enum mode mode_of[] = {
    [PACE_USER] = MODE_USER,
    [PACE_SUPERVISOR] = MODE_SUPERVISOR,
    [PACE_KERNEL] = MODE_KERNEL,
};

void work_pacer_set_unit(uint64_t clocks_q32)
{
    unit_q32 = clocks_q32;
}

uint64_t work_pacer_units_of(uint64_t clocks)
{
    return mul_div64(clocks < LONGEST ? clocks : LONGEST, 1ull << 32, unit_q32);
}

static uint64_t share_of(uint64_t clocks, uint32_t millionths)
{
    return mul_div64(clocks, millionths, MILLION);
}

/* Exact time of a task in a mode until now. */
static uint64_t used(const struct task *t, enum mode mode)
{
    return t->account.time[mode][0] + t->account.time[mode][1];
}

/* The time of the executive and of the probe, by which the share of a task that absorbs shrinks. */
static uint64_t overhead(void)
{
    uint64_t clocks = probe_monitor_time(&probe);

    for (uint32_t i = 0; i < TASKS_MAX; i++) {
        if (tasks[i].state == TASK_FREE)
            break;
        clocks += used(&tasks[i], MODE_INTERRUPT);
        if (tasks[i].pace.period_us == 0 && &tasks[i] != sched_idle())
            clocks += used(&tasks[i], MODE_KERNEL);
    }
    return clocks;
}

static void begin_period(struct task *t)
{
    struct pace *p = &t->pace;
    const uint64_t period = timer_us_to_clocks(p->period_us);
    const bool by_time = account_on && !p->counted;
    uint64_t passed;

    if (p->origin == 0)
        p->origin = rdtsc();
    p->turn++;
    passed = p->turn * period;
    for (unsigned part = 0; part < 3; part++) {
        uint64_t target = share_of(by_time ? passed : period, p->share[part]);
        const uint64_t done = by_time ? used(t, mode_of[part]) : 0;

        if (p->absorbs && part == PACE_KERNEL && by_time) {
            const uint64_t taken = overhead();

            target = target > taken ? target - taken : 0;
        }
        p->units[part] = target > done ? work_pacer_units_of(target - done) : 0;
    }
}

uint64_t work_pacer_units(unsigned part)
{
    if (part == PACE_USER)
        begin_period(current);
    return part < 3 ? current->pace.units[part] : 0;
}

void work_pacer_rest(void)
{
    const struct pace *p = &current->pace;
    const uint64_t end = p->origin + p->turn * timer_us_to_clocks(p->period_us);

    if (end > rdtsc())
        timer_sleep_until(end);
}
