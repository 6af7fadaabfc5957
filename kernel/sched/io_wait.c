/* SPDX-License-Identifier: MIT */
/* Tasks that wait for a device. */
#include "kernel/sched/io_wait.h"

#include <stdbool.h>

#include "drivers/io.h"
#include "kernel/abi/spin_loop.h"
#include "kernel/account/exact_time.h"
#include "kernel/sched/idle.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/timer.h"

void io_wait_begin(uint64_t number)
{
    current->io_request = number;
    idle_io_tasks++;
}

static bool is_over(void)
{
    return current->io_request == 0;
}

void io_wait(void)
{
    timer_sleep_unless(UINT64_MAX, is_over);
}

void io_wait_end(struct task *t, uint64_t number, uint64_t took)
{
    if (t->io_request != number)
        return;
    t->io_request = 0;
    t->io_done++;
    t->io_time += took;
    idle_io_tasks--;
    timer_wake(t);
}

void io_wait_cancel(struct task *t)
{
    idle_io_tasks -= t->io_request != 0;
    t->io_request = 0;
}

/*
 * Allocation by polling.  A release wakes no waiting task, so that each looks again at
 * each tick of the clock.  Tasks that wait for each other use up the processor, and yet
 * all of them are asleep whenever the clock ticks.
 */

static const struct task *holder[POLLED_LOCKS]; /* interrupts off */

static bool try_to_take(uint64_t number)
{
    bool free;

    irq_disable();
    free = holder[number] == 0;
    if (free)
        holder[number] = current;
    irq_enable();
    return free;
}

void polled_lock_release_all(const struct task *t)
{
    for (unsigned i = 0; i < POLLED_LOCKS; i++)
        if (holder[i] == t)
            holder[i] = 0;
}

bool polled_lock_take(uint64_t number, uint64_t units)
{
    if (number >= POLLED_LOCKS)
        return false;
    while (!try_to_take(number)) {
        spin(units);
        timer_sleep_until(timer_tick_after(rdtsc()));
    }
    return true;
}
