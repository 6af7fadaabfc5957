/* SPDX-License-Identifier: MIT */
/* The tables of instrumented programs as frames: numbers of the tasks, which the host judges. */
#include "drivers/io.h"
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"

_Static_assert(CALL_COST_CALLS == WIRE_CALLS_COST, "programs measure what the record tells");

static uint64_t since_start(uint64_t tsc)
{
    return tsc > run_state->start ? tsc - run_state->start : 0;
}

static struct wire_calls head_of(const struct task *t, const struct call_head *from)
{
    return (struct wire_calls){
        .epoch = frame_tx_epoch(), .id = t->id, .number = t->number, .program = t->program,
        .time = since_start(rdtsc()), .since = since_start(from->since), .ran = from->last - from->first,
        .cost = from->cost, .inside = from->inside, .deep = from->deep, .lost = from->lost,
    };
}

/* A function that has not returned has the time up to its program's last call or return. */
static struct wire_calls_row row_of(const struct call_row *from, uint64_t last)
{
    return (struct wire_calls_row){
        .function = from->function, .calls = from->calls, .made = from->made, .exclusive = from->exclusive,
        .inclusive = from->inclusive + (from->entered != 0 ? last - from->entered : 0),
    };
}

static uint64_t functions_of(const struct task *t)
{
    uint64_t functions = 0;

    for (uint32_t i = 1; i < CALL_ROWS; i++)
        functions += task_monitor_call_row(t, i)->calls != 0;
    return functions;
}

static void send_table(const struct task *t, const struct call_head *from)
{
    struct wire_calls head = head_of(t, from);

    head.functions = functions_of(t);
    frame_tx_begin(WIRE_CALLS, &head);
    for (uint32_t i = 1; i < CALL_ROWS; i++) {
        const struct call_row *const row = task_monitor_call_row(t, i);
        const struct wire_calls_row told = row_of(row, from->last);

        if (row->calls != 0)
            frame_tx_row(&told);
    }
    frame_tx_end();
}

void report_calls(void)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++) {
        const struct call_head *const head = task_monitor_calls(&tasks[i]);

        if (head != 0 && head->since != 0)
            send_table(&tasks[i], head);
    }
}
