/* SPDX-License-Identifier: MIT */
/* Tasks: their memory, their first frame, their end. */
#include "kernel/sched/task.h"

#include "kernel/account/exact_time.h"
#include "kernel/cpu/cpu.h"
#include "kernel/mm/elf_loader.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/mm/programs.h"
#include "kernel/process/process.h"
#include "kernel/sched/io_wait.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/task_slot.h"
#include "kernel/sched/timer.h"
#include "kernel/trace/trace.h"
#include "probe/schedule/memory.h"

#define STACK_SLOT   0x10000u /* a power of two: address space a task: guard, ring 1, guard, ring 0 */
#define STACK1_PAGES 2
#define STACK0_PAGES (TASK_STACK0_BYTES / PAGE_SIZE)
#define CALLEE_SAVED 6        /* registers that switch_stacks pops */
#define MXCSR_RESET  0x1f80
#define FCW_RESET    0x037f

extern void task_first(void);

static bool map_stack(uint64_t top, unsigned pages)
{
    for (unsigned i = 1; i <= pages; i++)
        if (paging_map_new(paging_kernel_space(), top - i * PAGE_SIZE, PAGE_WRITE | PAGE_NO_CODE) == 0)
            return false;
    return true;
}

/* Both stacks; the page under each is not mapped, so that an overflow faults.  They stay with the slot. */
static bool make_stacks(struct task *t)
{
    const uint64_t slot = KERNEL_STACKS + (uint64_t)t->number * STACK_SLOT;

    if (t->stack0 != 0)
        return true;
    t->stack1 = slot + (1 + STACK1_PAGES) * PAGE_SIZE;
    t->stack0 = slot + STACK_SLOT;
    return map_stack(t->stack1, STACK1_PAGES) && map_stack(t->stack0, STACK0_PAGES);
}

const struct task *task_of_stack(uint64_t rsp)
{
    const uint64_t number = (rsp - 1 - KERNEL_STACKS) / STACK_SLOT;

    return &tasks[number < TASKS_MAX ? number : 0];
}

/* Clear what the last task of the slot left, except its row, which goes on where the id is the same. */
static void clear(struct task *t)
{
    t->parent = current;
    t->faulted = t->terminated = t->kept = t->held = false;
    t->traced = trace_classes_of(t->name);
    t->rules = trace_rules_about(t->name);
    t->priority = PRIORITY_REGULAR;
    t->owns_system = false;
    t->idle_count_at = 0;
    t->grants = t->calls = 0;
    denials_retire(t);
    t->monitor = (struct task_monitor){ .page = 0 };
    t->profil = (struct task_profil){ .waiting = 0 };
    t->child_ended = t->awaits_child = false;
    t->io_done = t->io_time = t->pages = 0;
    t->activity = (struct task_activity){ .switches = 0 };
    t->ticks = (struct task_ticks){ .user = 0 };
    t->nice = 0;
    t->space = paging_kernel_space();
    t->process = 0;
    memset(&t->pace, 0, sizeof t->pace);
    memset(t->segment, 0, sizeof t->segment);
    memset(t->fpu, 0, sizeof t->fpu);
    memcpy(t->fpu, &(uint16_t){ FCW_RESET }, 2);
    memcpy(t->fpu + 24, &(uint32_t){ MXCSR_RESET }, 4); /* FXSAVE layout, SDM 1 10.5 */
}

static uint64_t births = 1; /* IDLE is the first; one creator at a time */

uint64_t task_births(void)
{
    return births;
}

/* Last of all: from here on it is a task of its own. */
static void number(struct task *t)
{
    __asm__ volatile("" : : : "memory");
    t->birth = ++births;
}

/* What an ended task had for itself: its space, 0: none; its process, NULL: none, which has that space. */
struct possessions {
    uint64_t space;
    struct process *process;
};

static struct possessions take_possessions(struct task *t)
{
    const struct possessions had = { t->space != paging_kernel_space() ? t->space : 0, t->process };

    t->space = paging_kernel_space();
    t->process = 0;
    return had;
}

static void release(struct possessions had)
{
    if (had.process != 0)
        process_release(had.process);
    else if (had.space != 0)
        paging_release(had.space);
}

/* End a task that could not be made; it never ran. */
static void unmake(struct task *t)
{
    release(take_possessions(t));
    task_slot_ended(t);
}

static struct task *make(const char *name, uint32_t id, uint32_t program)
{
    struct task *t;

    task_reclaim();
    t = task_slot_claim(name, id, program);
    if (t == 0)
        return 0;
    clear(t);
    number(t);
    sched_new_task(t);
    if (make_stacks(t))
        return t;
    unmake(t);
    return 0;
}

/* The stack as if the task had been switched away before its first instruction. */
static void make_first_frame(struct task *t, const struct frame *first)
{
    uint64_t *stack = (uint64_t *)t->stack0;

    stack -= sizeof *first / sizeof *stack;
    *(struct frame *)stack = *first;
    *--stack = (uint64_t)task_first;
    stack -= CALLEE_SAVED;
    memset(stack, 0, CALLEE_SAVED * sizeof *stack);
    t->stack = (uint64_t)stack;
}

void task_start(struct task *t)
{
    const bool on = irq_save();

    sched_ready(t);
    trace_event_of(TRACE_START, t->traced, account.last, task_event(t));
    irq_restore(on);
}

/* Called by task_first on the new task's stack.  Interrupts off. */
void task_begin(struct frame *f)
{
    sched_switched();
    sched_load_registers(current);
    account_exit(f->cell, 0);
    trace_event(TRACE_RESUME, account.last, trace_exit(0, account_cell_number(&current->account, f->cell)));
}

struct task *task_create_kernel(const char *name, uint32_t id, void (*entry)(void))
{
    struct task *t = make(name, id, 0);

    if (t == 0)
        return 0;
    make_first_frame(t, &(struct frame){
        .cell = account_cell(&t->account, MODE_KERNEL, 0),
        .rip = (uint64_t)entry,
        .cs = SEL_KERNEL_CODE,
        .ss = SEL_KERNEL_DATA,
        .rflags = RFLAGS_IF,
        /* the frame stays on the stack; at its start a function has RSP 8 below a multiple of 16 */
        .rsp = t->stack0 - 8,
    });
    return t;
}

static void make_user_frame(struct task *t, uint64_t entry, uint64_t rsp, uint64_t argument)
{
    make_first_frame(t, &(struct frame){
        .cell = account_cell(&t->account, MODE_USER, 0),
        .rip = entry,
        .cs = SEL_USER_CODE,
        .ss = SEL_USER_DATA,
        .rflags = RFLAGS_IF,
        .rsp = rsp,
        .rdi = argument,
    });
}

static bool map_user_stack(uint64_t space)
{
    for (unsigned i = 1; i <= USER_STACK_PAGES; i++)
        if (paging_map_new(space, USER_STACK_TOP - i * PAGE_SIZE, PAGE_USER | PAGE_WRITE | PAGE_NO_CODE) == 0)
            return false;
    return true;
}

struct task *task_create_user(const char *name, uint32_t id, uint32_t number, uint64_t argument, struct refusal *why)
{
    const struct program *const p = program_at(number);
    struct task *t = make(name, id, number + 1);
    const uint64_t left = page_alloc_left();
    uint64_t entry = 0;

    REFUSE(why, "out of memory");
    if (t == 0)
        return 0;
    t->space = paging_new_space();
    if (t->space != 0 && map_user_stack(t->space))
        entry = elf_load(t->space, p->begin, (uint64_t)(p->end - p->begin), why);
    if (entry == 0) {
        unmake(t);
        return 0;
    }
    make_user_frame(t, entry, USER_STACK_TOP - 16, argument);
    t->pages = left - page_alloc_left();
    return t;
}

struct task *task_create_process(const char *name, uint32_t id, struct process *process, uint64_t entry, uint64_t rsp)
{
    const uint64_t left = page_alloc_left();
    struct task *const t = make(name, id, process->program_number);

    if (t == 0) {
        process_release(process);
        return 0;
    }
    t->process = process;
    t->space = process->space;
    make_user_frame(t, entry, rsp, 0);
    t->pages = left - page_alloc_left();
    return t;
}

/* Interrupts off. */
static void end(struct task *t)
{
    task_slot_ended(t);
    io_wait_cancel(t);
    trace_event_of(TRACE_END, t->traced, account.last, task_event(t));
    polled_lock_release_all(t);
    t->parent->child_ended = true;
    if (t->parent->awaits_child)
        timer_wake(t->parent);
}

_Noreturn void task_end(void)
{
    cpu_interrupts_off();
    account_switch(account_cell(&current->account, MODE_KERNEL, 1));
    end(current);
    sched_switch();
    for (;;) /* an ended task is in no queue and never runs again */
        __asm__ volatile("hlt");
}

void task_terminate(struct task *t)
{
    irq_disable();
    if (t->state == TASK_READY)
        sched_remove(t);
    else if (t->state == TASK_SLEEPING)
        timer_cancel(t);
    if (t->state == TASK_READY || t->state == TASK_SLEEPING) {
        t->terminated = true;
        end(t);
    }
    irq_enable();
}

static bool child_has_ended(void)
{
    return current->child_ended;
}

void task_wait_child(uint64_t wake)
{
    current->awaits_child = true;
    timer_sleep_unless(wake, child_has_ended);
    current->awaits_child = false;
    current->child_ended = false;
}

/* The caller then releases what it is given. */
static struct possessions disown(struct task *t)
{
    const bool on = irq_save();
    struct possessions had = { 0, 0 };

    if (t->state == TASK_ENDED && t != current && t->space != paging_kernel_space() && !t->held) {
        had = take_possessions(t);
        t->monitor.page = 0;
    }
    irq_restore(on);
    return had;
}

void task_reclaim(void)
{
    for (uint32_t i = 1; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        release(disown(&tasks[i]));
}

/* Counters of denied requests; those of tasks whose slot was reused are summed up here. */

static struct denials retired; /* of tasks whose slot was reused; task context */

void denials_retire(struct task *t)
{
    retired.calls += t->denied.calls;
    retired.reports += t->denied.reports;
    retired.faults += t->denied.faults;
    retired.event_times += t->denied.event_times;
    retired.event_room += t->denied.event_room;
    t->denied = (struct denials){ .calls = 0 };
}

const struct denials *denials_retired(void)
{
    return &retired;
}
