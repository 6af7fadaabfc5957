/* SPDX-License-Identifier: MIT */
/* Tasks: their memory, their first frame, their end. */
#include "kernel/task.h"

#include "kernel/account.h"
#include "kernel/cpu.h"
#include "kernel/elf.h"
#include "kernel/pages.h"
#include "kernel/paging.h"
#include "kernel/sched.h"
#include "kernel/say.h"
#include "probe/memory.h"

#define STACK_SLOT   0x10000u /* a power of two: address space a task: guard, ring 1, guard, ring 0 */
#define STACK1_PAGES 2
#define STACK0_PAGES (TASK_STACK0_BYTES / PAGE_SIZE)
#define CALLEE_SAVED 6        /* registers that switch_stacks pops */
#define MXCSR_RESET  0x1f80
#define FCW_RESET    0x037f

struct task tasks[TASKS_MAX];
static uint32_t used = 1; /* tasks[0] is IDLE; task context */

extern void task_first(void);

static bool map_stack(uint64_t top, unsigned pages)
{
    for (unsigned i = 1; i <= pages; i++) {
        const uint64_t page = pages_take();

        if (page == 0 || !paging_map(paging_kernel(), top - i * PAGE_SIZE, page,
                                     PAGE_WRITE | PAGE_NO_CODE))
            return false;
    }
    return true;
}

/* Both stacks, the page under each not mapped: an overflow faults. */
static bool make_stacks(struct task *t)
{
    const uint64_t slot = KERNEL_STACKS + (uint64_t)t->number * STACK_SLOT;

    t->stack1 = slot + (1 + STACK1_PAGES) * PAGE_SIZE;
    t->stack0 = slot + STACK_SLOT;
    return map_stack(t->stack1, STACK1_PAGES) && map_stack(t->stack0, STACK0_PAGES);
}

const struct task *task_of_stack(uint64_t rsp)
{
    const uint64_t number = (rsp - 1 - KERNEL_STACKS) / STACK_SLOT;

    return &tasks[number < TASKS_MAX ? number : 0];
}

static struct task *make(const char *name, uint32_t id)
{
    struct task *t;

    if (used == TASKS_MAX)
        return 0;
    t = &tasks[used];
    t->number = used;
    t->id = id;
    for (unsigned i = 0; i < NAME_SIZE - 1 && name[i] != '\0'; i++)
        t->name[i] = name[i];
    memcpy(t->fpu, &(uint16_t){ FCW_RESET }, 2);
    memcpy(t->fpu + 24, &(uint32_t){ MXCSR_RESET }, 4); /* FXSAVE layout, SDM 1 10.5 */
    if (!make_stacks(t))
        return 0;
    used++;
    return t;
}

/* The stack as if the task had been switched away from before its first step. */
static void make_first_frame(struct task *t, const struct frame *first)
{
    uint64_t *stack = (uint64_t *)t->stack0;

    stack -= sizeof *first / sizeof *stack;
    *(struct frame *)stack = *first;
    *--stack = (uint64_t)task_first;
    stack -= CALLEE_SAVED;
    memset(stack, 0, CALLEE_SAVED * sizeof *stack);
    t->stack = (uint64_t)stack;
    sched_ready(t);
}

/* Called by task_first on the new task's stack; switched to with interrupts off. */
void task_begin(struct frame *f)
{
    account_now(account_cell(&current->account, MODE_KERNEL, 1));
    __asm__ volatile("fxrstor64 %0" : : "m"(current->fpu));
    account_return(f->cell);
}

struct task *task_kernel(const char *name, uint32_t id, void (*entry)(void))
{
    struct task *t = make(name, id);

    if (t == 0)
        return 0;
    t->space = paging_kernel();
    make_first_frame(t, &(struct frame){
        .cell = account_cell(&t->account, MODE_KERNEL, 0),
        .rip = (uint64_t)entry,
        .cs = SEL_KERNEL_CODE,
        .ss = SEL_KERNEL_DATA,
        .rflags = RFLAGS_IF,
        /* the frame is left behind; a function starts 8 below a multiple of 16 */
        .rsp = t->stack0 - 8,
    });
    return t;
}

static bool map_user_stack(uint64_t space)
{
    for (unsigned i = 1; i <= USER_STACK_PAGES; i++) {
        const uint64_t page = pages_take();

        if (page == 0 || !paging_map(space, USER_STACK_TOP - i * PAGE_SIZE, page,
                                     PAGE_USER | PAGE_WRITE | PAGE_NO_CODE))
            return false;
    }
    return true;
}

struct task *task_program(const char *name, uint32_t id, const void *image, uint64_t bytes,
                          uint64_t argument)
{
    struct task *t = make(name, id);
    const char *why = "out of memory";
    uint64_t entry = 0;

    if (t == 0)
        return 0;
    t->space = paging_space();
    if (t->space != 0 && map_user_stack(t->space))
        entry = elf_load(t->space, image, bytes, &why);
    if (entry == 0) {
        say(SAY_ERROR, "task ", name, " cannot be loaded: ", why);
        return 0;
    }
    make_first_frame(t, &(struct frame){
        .cell = account_cell(&t->account, MODE_USER, 0),
        .rip = entry,
        .cs = SEL_USER_CODE,
        .ss = SEL_USER_DATA,
        .rflags = RFLAGS_IF,
        .rsp = USER_STACK_TOP - 16,
        .rdi = argument,
    });
    return t;
}

_Noreturn void task_end(void)
{
    cpu_interrupts_off();
    account_now(account_cell(&current->account, MODE_KERNEL, 1));
    current->state = TASK_ENDED;
    sched_switch();
    for (;;) /* an ended task is in no queue: it never comes back */
        __asm__ volatile("hlt");
}
