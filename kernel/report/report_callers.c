/* SPDX-License-Identifier: MIT */
/* Time in the kernel by the instruction that called: the record CALL_STACKS, or lines of text. */
#include "kernel/monitor/callers.h"
#include "kernel/report/call_stack_frames.h"
#include "kernel/report/report_monitors.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"

#define LINES 8u /* of text: the stacks with the most samples */

static void put(const struct call_stack *sampled, const struct call_stack *returned)
{
    struct wire_call_stacks_row row = { .samples = sampled != 0 ? sampled->count : 0 };

    if (returned != 0) {
        row.calls = returned->calls;
        row.ticks = returned->ticks;
        row.time = returned->time;
        row.unmasked = returned->unmasked;
        row.masked = returned->masked;
    }
    call_stack_frames_put(sampled != 0 ? &sampled->key : &returned->key, &row);
}

static void put_frames(uint64_t serial, bool final)
{
    struct callers_window *const w = callers_closed();

    (void)final;
    call_stack_frames_begin(serial);
    for (uint32_t i = 0; i < w->sampled.used; i++)
        put(&w->sampled.stack[i], call_stacks_seek(&w->returned, &w->sampled.stack[i].key));
    for (uint32_t i = 0; i < w->returned.used; i++)
        if (call_stacks_seek(&w->sampled, &w->returned.stack[i].key) == 0)
            put(0, &w->returned.stack[i]);
    call_stack_frames_send();
}

static const char *name_of(uint32_t id)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (tasks[i].id == id)
            return tasks[i].name;
    return ROW_ENDED_NAME;
}

static void put_line(const struct call_stack *s, uint64_t samples)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    buf_parts(&b, "caller   ", name_of(s->key.task));
    for (unsigned i = 0; i < s->key.depth; i++)
        buf_parts(&b, i == 0 ? " " : " < ", HEX(s->key.pc[i]));
    buf_parts(&b, ": ", DECIMAL(s->count), " of ", DECIMAL(samples), " samples in calls");
    report_line(0, text);
}

/* The most frequent of those that come after `after` in this order; NULL: there is none. */
static const struct call_stack *next_line(const struct call_stacks *t, const struct call_stack *after)
{
    const struct call_stack *best = 0;

    for (const struct call_stack *s = t->stack; s < &t->stack[t->used]; s++)
        if ((after == 0 || s->count < after->count || (s->count == after->count && s > after)) &&
            (best == 0 || s->count > best->count))
            best = s;
    return best;
}

static void put_lines(void)
{
    const struct callers_window *const w = callers_closed();
    const struct call_stack *s = 0;
    uint64_t samples = 0;

    for (uint32_t i = 0; i < w->sampled.used; i++)
        samples += w->sampled.stack[i].count;
    for (unsigned i = 0; i < LINES && (s = next_line(&w->sampled, s)) != 0; i++)
        put_line(s, samples);
}

const struct monitor_report report_callers = { .put_frames = put_frames, .put_lines = put_lines };
