/* SPDX-License-Identifier: MIT */
/*
 * ps remembers what it saw, as the paper's collection does (probe/stats/process_collection.h), but counts in exact
 * time: a task that it did not see before is new, one that has ended is shown so once, and the rows are
 * sorted by what was used in between.
 */
#include "kernel/shell/shell.h"

#include "kernel/account/exact_time.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/mm/programs.h"
#include "kernel/sched/task.h"
#include "kernel/source/sampler.h"
#include "probe/text/text_buf.h"

#define SECOND_MS 1000u
#define WHOLE     1000u /* tenths of a percent */

/* Of a slot of tasks[]; all task PROBE. */
static struct {
    uint64_t birth, time; /* as they were at the last ps; birth 0: the slot was not used */
    uint64_t used;        /* since then */
    bool ended;           /* it was told that it has */
} seen[TASKS_MAX];
static bool asked; /* there was a ps before */

static uint64_t time_of(const struct task *t)
{
    uint64_t time = 0;

    for (unsigned mode = 0; mode < MODES; mode++)
        time += t->account.time[mode][0] + t->account.time[mode][1];
    return time;
}

/* The row's times may have gone to row ENDED since. */
static void look(uint32_t slot)
{
    const uint64_t now = time_of(&tasks[slot]);

    seen[slot].used = now >= seen[slot].time ? now - seen[slot].time : now;
    seen[slot].time = now;
}

/* The used slots, the one that used most first; returns how many. */
static uint32_t sorted(uint8_t order[TASKS_MAX])
{
    uint32_t slots = 0;

    for (; slots < TASKS_MAX && tasks[slots].state != TASK_FREE; slots++) {
        uint32_t at = slots;

        look(slots);
        for (; at > 0 && seen[order[at - 1]].used < seen[slots].used; at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)slots;
    }
    return slots;
}

static const char *state_of(const struct task *t)
{
    if (t == current)
        return "runs";
    return t->state == TASK_ENDED ? "ended" : t->state == TASK_SLEEPING ? "sleeps" : "ready";
}

static const char *mark_of(const struct task *t)
{
    if (t->state == TASK_ENDED)
        return seen[t->number].ended ? " " : "-";
    return asked && seen[t->number].birth != t->birth ? "+" : " ";
}

/* Exact time since the image began, milliseconds as seconds. */
static void put_time(struct text_buf *l, uint64_t clocks)
{
    buf_char(l, ' ');
    buf_right(l, MILLI(mul_div64(clocks, SECOND_MS, tick_facts.calibration.rate.clock_hz)), 8);
}

static void put_used(struct text_buf *l, uint64_t used, uint64_t all)
{
    buf_right(l, format_number((char[FORMAT_DIGITS]){0}, all != 0 ? mul_div64(used, WHOLE, all) : 0, 1, ""), 5);
    buf_char(l, ' ');
}

static void put_task(const struct command_asker *r, const struct task *t, uint64_t all)
{
    const struct program *p = t->program != 0 ? program_at(t->program - 1) : 0;
    static const enum mode columns[MODES] = {MODE_KERNEL, MODE_SUPERVISOR, MODE_USER, MODE_INTERRUPT};
    char text_of_line[TEXT_BUF_SIZE];
    struct text_buf l = TEXT_BUF(text_of_line);

    buf_left(&l, t->name, 14);
    buf_left(&l, mark_of(t), 2);
    buf_left(&l, p != 0 ? p->name : "", 12);
    buf_left(&l, t->priority < PRIORITY_REGULAR ? "i" : t->priority > PRIORITY_REGULAR ? "c" : "", 2);
    if (account_on)
        put_used(&l, seen[t->number].used, all);
    buf_left(&l, state_of(t), 7);
    for (unsigned i = 0; account_on && i < MODES; i++)
        put_time(&l, t->account.time[columns[i]][0] + t->account.time[columns[i]][1]);
    r->line(r->context, l.text);
}

static void remember(void)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++) {
        seen[i].birth = tasks[i].birth;
        seen[i].ended = tasks[i].state == TASK_ENDED;
    }
    asked = true;
}

void command_ps(const struct command_asker *r)
{
    uint8_t order[TASKS_MAX];
    const uint32_t slots = sorted(order);
    uint64_t all = 0;

    for (uint32_t i = 0; i < slots; i++)
        all += seen[i].used;
    r->line(r->context, account_on ?
            "Task            Program     P Used% State    kernel  superv.     user  interr." :
            "Task            Program     P State   (account=off: no exact times)");
    for (uint32_t i = 0; i < slots; i++)
        put_task(r, &tasks[order[i]], all);
    r->line(r->context, "+ new, - ended since the last ps; P: i idle, c time-critical");
    if (account_on)
        r->line(r->context, "used since the last ps, exact seconds since the image began");
    remember();
}
