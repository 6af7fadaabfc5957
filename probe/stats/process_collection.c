/* SPDX-License-Identifier: MIT */
/* The table of processes, from reading to reading. */
/* Uses vector registers: task context only. */
#include "probe/stats/process_collection.h"

#include "probe/text/text_buf.h"
#include "probe/text/text_span.h"

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

/* ---- the table as text ---- */

struct widths {
    unsigned task, user, system;
};

static void widen(unsigned *width, uint64_t count)
{
    const unsigned wide = (unsigned)span_text(DECIMAL(count)).length + 1;

    *width = wide > *width ? wide : *width;
}

/* Of the columns, each with the blank before it. */
static struct widths widths_of(const struct process_collection *c)
{
    struct widths w = { 8, 10, 10 };

    for (const struct process *p = c->process; p < c->process + c->count; p++) {
        widen(&w.task, p->entry.task);
        widen(&w.user, p->user);
        widen(&w.system, p->system);
    }
    return w;
}

static void print_head(struct text_buf *b, const struct widths *w)
{
    buf_char(b, ' ');
    buf_right(b, "Number", w->task);
    buf_text(b, " Name            Priority  State   ");
    buf_right(b, "User", w->user);
    buf_right(b, "System", w->system);
    buf_text(b, "  Usage%");
}

static void print_row(struct text_buf *b, const struct process_collection *c, const struct process *p,
                      const struct widths *w)
{
    buf_char(b, p->gone ? '-' : p->fresh ? '+' : ' ');
    buf_right(b, DECIMAL(p->entry.task), w->task);
    buf_char(b, ' ');
    buf_left(b, p->entry.name, 16);
    buf_left(b, process_priority_name(p->entry.priority), 10);
    buf_left(b, p->gone ? "ended" : process_state_name(p->entry.state), 8);
    buf_right(b, DECIMAL(p->user), w->user);
    buf_right(b, DECIMAL(p->system), w->system);
    if (!p->gone)
        buf_right(b, REAL(c->total != 0 ? 100.0 * (double)process_own(p) / (double)c->total : 0.0, 2), 8);
}

void process_collection_print(const struct process_collection *c, void (*line)(void *context, const char *text))
{
    const struct widths w = widths_of(c);
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    print_head(&b, &w);
    line(0, text);
    for (uint32_t i = 0; i < c->count; i++) {
        buf_reset(&b);
        print_row(&b, c, &c->process[i], &w);
        line(0, text);
    }
}
