/* SPDX-License-Identifier: MIT */
/* The table of processes, from reading to reading. */
/* Uses vector registers: task context only. */
#include "probe/stats/process_collection.h"

#define IDLE_TASK 1u /* the number of task IDLE: it is the first */

static struct process *find(struct process_collection *c, uint64_t task)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->process[i].entry.task == task)
            return &c->process[i];
    return 0;
}

void process_collection_begin(struct process_collection *c)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < c->count; i++) {
        if (c->process[i].gone)
            continue;
        c->process[kept] = c->process[i];
        c->process[kept].touched = c->process[kept].fresh = false;
        kept++;
    }
    c->count = kept;
    c->total = 0;
}

/* A counter that went back is that of another machine's table: all of it is new. */
static uint64_t difference(uint64_t now, uint64_t before)
{
    return now >= before ? now - before : now;
}

bool process_collection_add(struct process_collection *c, const struct process_entry *e)
{
    struct process *p = find(c, e->task);

    if (p == 0) {
        if (c->count == PROCESSES_MAX)
            return false;
        p = &c->process[c->count++];
        *p = (struct process){ .fresh = c->begun };
    }
    p->user = difference(e->user, p->entry.user);
    p->system = difference(e->system, p->entry.system);
    p->entry = *e;
    p->touched = true;
    return true;
}

uint64_t process_own(const struct process *p)
{
    return p->user + (p->entry.flags & PROCESS_OWNS_SYSTEM ? p->system : 0);
}

static bool comes_before(const struct process *a, const struct process *b)
{
    if (a->gone != b->gone)
        return b->gone;
    if (process_own(a) != process_own(b))
        return process_own(a) > process_own(b);
    return a->user + a->system > b->user + b->system;
}

static void sort(struct process_collection *c)
{
    for (uint32_t i = 1; i < c->count; i++) {
        const struct process p = c->process[i];
        uint32_t at = i;

        for (; at > 0 && comes_before(&p, &c->process[at - 1]); at--)
            c->process[at] = c->process[at - 1];
        c->process[at] = p;
    }
}

void process_collection_end(struct process_collection *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        struct process *const p = &c->process[i];

        p->gone = !p->touched;
        if (p->gone)
            p->user = p->system = 0;
        c->total += p->user + p->system;
    }
    sort(c);
    c->begun = true;
}

uint64_t process_collection_busy(const struct process_collection *c)
{
    uint64_t idle = 0;

    for (uint32_t i = 0; i < c->count; i++)
        if (c->process[i].entry.task == IDLE_TASK)
            idle = c->process[i].user + c->process[i].system;
    return c->total - idle;
}

const char *process_priority_name(int8_t priority)
{
    return priority < 0 ? "idle" : priority > 0 ? "critical" : "regular";
}

const char *process_state_name(uint8_t state)
{
    return state == PROCESS_RUNNING ? "runs" : state == PROCESS_SLEEPING ? "sleeps" : "ready";
}

void process_print_head(struct text_buf *b)
{
    buf_text(b, "   Number Name            Priority  State         User    System  Usage%");
}

void process_print(struct text_buf *b, const struct process_collection *c, const struct process *p)
{
    const double share = c->total != 0 ? 100.0 * (double)process_own(p) / (double)c->total : 0.0;

    buf_text(b, p->gone ? "- " : p->fresh ? "+ " : "  ");
    buf_right(b, DECIMAL(p->entry.task), 7);
    buf_char(b, ' ');
    buf_left(b, p->entry.name, 16);
    buf_left(b, process_priority_name(p->entry.priority), 10);
    buf_left(b, p->gone ? "ended" : process_state_name(p->entry.state), 8);
    buf_right(b, DECIMAL(p->user), 10);
    buf_right(b, DECIMAL(p->system), 10);
    if (p->gone)
        return;
    buf_right(b, REAL(share, 2), 8);
}
