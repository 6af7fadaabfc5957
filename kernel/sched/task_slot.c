/* SPDX-License-Identifier: MIT */
/* Keeps the slots of tasks and which of them runs; finds the slot that a new task is made in. */
#include "kernel/sched/task_slot.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/lib/string.h"

struct task *current;           /* legends in kernel/sched/task.h */
struct task tasks[TASKS_MAX];

static const struct task_retirement *retire; /* NULL: rows are not retired; set once */

void task_slot_retire_by(const struct task_retirement *by)
{
    retire = by;
}

/* Of this row's tasks, the slot of the one that ended first; NULL: none has ended. */
static struct task *ended_of(uint32_t id)
{
    struct task *first = 0;

    for (uint32_t i = 1; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++) {
        struct task *t = &tasks[i];

        if (task_slot_is_over(t) && t->id == id && (first == 0 || t->ended < first->ended))
            first = t;
    }
    return first;
}

/* tasks[0] is IDLE. */
static struct task *never_used(void)
{
    for (uint32_t i = 1; i < TASKS_MAX; i++)
        if (tasks[i].state == TASK_FREE) {
            tasks[i].number = i;
            return &tasks[i];
        }
    return 0;
}

static struct task *find(uint32_t id)
{
    struct task *t = ended_of(id);

    if (t != 0 && retire != 0)
        retire->reuse(t);
    if (t == 0)
        t = never_used();
    return t != 0 || account_on == ACCOUNT_LOGGED || retire == 0 ? t : retire->slot();
}

/* A CLAIMED slot has no time: a tick that closes the window meanwhile skips it (kernel/tick/window.c). */
static void change_row(struct task *t, const char *name, uint32_t id, uint32_t program)
{
    t->state = TASK_CLAIMED;
    __asm__ volatile("" : : : "memory");
    task_set_id(t, id);
    t->program = program;
    string_copy(t->name, name, sizeof t->name);
    __asm__ volatile("" : : : "memory");
}

struct task *task_slot_claim(const char *name, uint32_t id, uint32_t program)
{
    struct task *const t = find(id);

    if (t == 0)
        return 0;
    if (t->state == TASK_FREE || t->id != id)
        change_row(t, name, id, program);
    t->state = TASK_NEW;
    if (retire != 0)
        retire->begins(t);
    if (account_on != ACCOUNT_LOGGED && retire != 0)
        retire->record(id);
    return t;
}

void task_slot_ended(struct task *t)
{
    t->ended = rdtsc();
    t->state = TASK_ENDED;
}

/* Whether 64 bytes have no bit. */
static bool is_zero(const uint64_t *word)
{
    return (word[0] | word[1] | word[2] | word[3] | word[4] | word[5] | word[6] | word[7]) == 0;
}

/* Its pages were zero when they were mapped.  No less than `least`, to 64 bytes. */
static uint64_t stack_used(const struct task *t, uint64_t least)
{
    const uint64_t top = t->stack0 - least;
    uint64_t at = t->stack0 - TASK_STACK0_BYTES;

    while (at < top && is_zero((const uint64_t *)at))
        at += 64;
    return t->stack0 - (at < top ? at : top);
}

uint64_t task_deepest_stack(void)
{
    uint64_t deepest = 0;

    for (uint32_t i = 1; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (tasks[i].stack0 != 0)
            deepest = stack_used(&tasks[i], deepest);
    return deepest;
}
