/* SPDX-License-Identifier: MIT */
/* The end of a process by a call of its own. */
#include "kernel/linux/linux_end.h"

#include "kernel/sched/task.h"

#define BY_SIGNAL 128

_Noreturn void linux_end(struct process *p, int32_t status)
{
    p->status = status;
    p->exited = true;
    task_end();
}

_Noreturn void linux_end_by_signal(struct process *p, uint32_t signal)
{
    linux_end(p, BY_SIGNAL + (int32_t)signal);
}
