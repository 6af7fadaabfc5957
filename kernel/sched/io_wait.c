/* SPDX-License-Identifier: MIT */
/* Tasks that wait for a device. */
#include "kernel/sched/io_wait.h"

#include <stdbool.h>

#include "kernel/sched/idle.h"
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
