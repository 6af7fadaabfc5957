/* SPDX-License-Identifier: MIT */
/*
 * The ready queue and the task switch.  Until the stack is switched the time is charged
 * to the old task, from then on to the new one (docs/ACCOUNTING.md).
 */
#include "kernel/sched/sched.h"

#include "kernel/account/exact_time.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/irq.h"
#include "kernel/lib/string.h"
#include "kernel/mm/paging.h"
#include "kernel/process/process.h"
#include "kernel/sched/activity.h"
#include "kernel/sched/idle.h"
#include "kernel/trace/trace.h"

static struct task *idle;       /* set once */
static const struct sched_policy *policy, *base; /* in force, and without what counts passes; interrupts off */
static struct task *ready;                     /* oldest first; interrupts off */
static struct task **ready_end = &ready;       /* where the next one goes; interrupts off */
static uint32_t left_traced;                   /* of the task that was switched from; interrupts off */
static bool wanted, held; /* a switch at the end of the interrupt is requested, is forbidden; interrupts off */

static void (*at_interrupt_switch)(void); /* NULL: nobody asks; interrupts off */

extern void switch_stacks(uint64_t *save, uint64_t load);

void sched_init(const struct sched_policy *by)
{
    policy = base = by;
    idle = &tasks[0];
    idle->state = TASK_READY;
    task_set_id(idle, ROW_IDLE);
    idle->birth = 1;
    idle->space = paging_kernel_space();
    string_copy(idle->name, "IDLE", sizeof idle->name);
    current = idle;
    account.cell = account_cell(&idle->account, MODE_KERNEL, 1);
    account_select_row(&idle->account);
}

struct task *sched_idle(void)
{
    return idle;
}

void sched_ready(struct task *t)
{
    t->state = TASK_READY;
    t->next = 0;
    *ready_end = t;
    ready_end = &t->next;
}

void sched_wake(struct task *t)
{
    sched_ready(t);
    trace_event_of(TRACE_WAKE, t->traced, account.last, task_event(t));
    if (current == idle || policy->preempts(t))
        wanted = true;
}

void sched_tick(void)
{
    if (policy->tick(ready))
        wanted = true;
}

static struct task *take_next(void)
{
    struct task **at, *t;

    if (ready == 0)
        return idle;
    at = policy->choose(&ready);
    t = *at;
    *at = t->next;
    if (ready_end == &t->next)
        ready_end = at;
    return t;
}

void sched_new_task(const struct task *t)
{
    if (policy->admit != 0)
        policy->admit(t);
}

void sched_count_passes(bool on)
{
    policy = on ? sched_passes_over(base) : base;
}

void sched_set_priority(struct task *t, enum task_priority priority)
{
    t->priority = (int8_t)priority;
    if (priority != PRIORITY_REGULAR && base->classes != 0) {
        const bool counted = policy != base;

        base = base->classes;
        sched_count_passes(counted);
    }
    if (policy->prioritize != 0)
        policy->prioritize(t);
}

unsigned sched_runnable(void)
{
    unsigned count = current != idle;

    for (const struct task *t = ready; t != 0; t = t->next)
        count++;
    return count;
}

void sched_remove(struct task *t)
{
    struct task **at = &ready;

    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    if (ready_end == &t->next)
        ready_end = at;
}

static inline void save(struct task *t)
{
    __asm__ volatile("fxsave64 %0" : "=m"(t->fpu));
    __asm__ volatile("mov %%ds, %0\n\tmov %%es, %1\n\tmov %%fs, %2\n\tmov %%gs, %3"
                     : "=m"(t->segment[0]), "=m"(t->segment[1]), "=m"(t->segment[2]), "=m"(t->segment[3]));
    if (__builtin_expect(t->process != 0, 0))
        process_leave(t->process);
}

void sched_load_registers(const struct task *t)
{
    __asm__ volatile("fxrstor64 %0" : : "m"(t->fpu));
    __asm__ volatile("mov %0, %%ds\n\tmov %1, %%es\n\tmov %2, %%fs\n\tmov %3, %%gs"
                     : : "m"(t->segment[0]), "m"(t->segment[1]), "m"(t->segment[2]), "m"(t->segment[3]));
    if (__builtin_expect(t->process != 0, 0))
        process_enter(t->process);
}

/* A switch is an event of both its tasks. */
void sched_switched(void)
{
    account_switch(account_cell(&current->account, MODE_KERNEL, 1));
    trace_event_of(TRACE_SWITCH, left_traced | current->traced, account.last, task_event(current));
    if (__builtin_expect(current->monitor.page != 0, 0))
        task_monitor_enter(current);
}

/* The policy does not know IDLE. */
static void tell_policy(void (*of)(const struct task *t), const struct task *t)
{
    if (of != 0 && t != idle)
        of(t);
}

void sched_switch(void)
{
    struct task *from = current, *to;

    tell_policy(policy->leave, from);
    to = take_next();
    tell_policy(policy->enter, to);
    wanted = false;
    if (to == from)
        return;
    if (__builtin_expect(from->monitor.page != 0, 0))
        task_monitor_leave(from);
    save(from);
    current = to;
    activity_switch(to);
    left_traced = from->traced;
    trace_set_task(to->traced);
    account_select_row(&to->account);
    cpu_set_stacks(to->stack0, to->stack1);
    if (to->space != from->space)
        __asm__ volatile("mov %0, %%cr3" : : "r"(to->space) : "memory");
    switch_stacks(&from->stack, to->stack);
    sched_switched();
    sched_load_registers(current);
}

void sched_hold(bool hold)
{
    held = hold;
}

void sched_on_interrupt_switch(void (*call)(void))
{
    at_interrupt_switch = call;
}

bool sched_interrupt_exit(unsigned vector)
{
    if (!wanted || held)
        return false;
    in_interrupt = 0;
    account_switch(account_cell(&current->account, MODE_KERNEL, 1));
    if (at_interrupt_switch != 0)
        at_interrupt_switch();
    trace_event(TRACE_IRQ_EXIT, account.last, trace_exit(vector, 2 * MODE_KERNEL + 1));
    if (current != idle) {
        sched_ready(current);
        trace_event(TRACE_READY, account.last, task_event(current));
    }
    sched_switch();
    return true;
}

_Noreturn void sched_idle_loop(void)
{
    for (;;) {
        cpu_interrupts_off();
        account_cli();
        if (ready != 0)
            sched_switch();
        account_sti();
        if (__builtin_expect(idle_counted, 0))
            idle_halt();
        __asm__ volatile("sti\n\thlt" : : : "memory");
    }
}
