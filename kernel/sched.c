/* SPDX-License-Identifier: MIT */
/*
 * Preemptive round robin.  Time belongs to the task that is left until the
 * stack changes, and to the one that comes from then on (docs/ACCOUNTING.md).
 */
#include "kernel/sched.h"

#include "kernel/account.h"
#include "kernel/cpu.h"
#include "kernel/paging.h"

struct task *current;           /* legend in kernel/task.h */

static struct task *idle;       /* set once */
static struct task *ready_head, *ready_tail; /* interrupts off */
static bool wanted;             /* interrupts off */

extern void switch_stacks(uint64_t *save, uint64_t load);

struct task *sched_init(void)
{
    idle = &tasks[0];
    idle->state = TASK_READY;
    idle->id = ROW_IDLE;
    idle->space = paging_kernel();
    idle->name[0] = 'I';
    idle->name[1] = 'D';
    idle->name[2] = 'L';
    idle->name[3] = 'E';
    current = idle;
    account.cell = account_cell(&idle->account, MODE_KERNEL, 1);
    account_row(&idle->account);
    return idle;
}

struct task *sched_idle(void)
{
    return idle;
}

void sched_ready(struct task *t)
{
    t->state = TASK_READY;
    t->next = 0;
    if (ready_head == 0)
        ready_head = t;
    else
        ready_tail->next = t;
    ready_tail = t;
}

static struct task *take_next(void)
{
    struct task *t = ready_head;

    if (t == 0)
        return idle;
    ready_head = t->next;
    return t;
}

void sched_switch(void)
{
    struct task *from = current, *to = take_next();

    wanted = false;
    if (to == from)
        return;
    __asm__ volatile("fxsave64 %0" : "=m"(from->fpu));
    current = to;
    account_row(&to->account);
    cpu_set_stacks(to->stack0, to->stack1);
    if (to->space != from->space)
        __asm__ volatile("mov %0, %%cr3" : : "r"(to->space) : "memory");
    switch_stacks(&from->stack, to->stack);
    account_now(account_cell(&current->account, MODE_KERNEL, 1));
    __asm__ volatile("fxrstor64 %0" : : "m"(current->fpu));
}

void sched_want(void)
{
    wanted = true;
}

void sched_interrupt_exit(void)
{
    if (!wanted)
        return;
    account_now(account_cell(&current->account, MODE_KERNEL, 1));
    if (current != idle)
        sched_ready(current);
    sched_switch();
}

_Noreturn void sched_idle_loop(void)
{
    for (;;) {
        cpu_interrupts_off();
        account_masked();
        if (ready_head != 0)
            sched_switch();
        account_unmasked();
        __asm__ volatile("sti\n\thlt" : : : "memory");
    }
}
