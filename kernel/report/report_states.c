/* SPDX-License-Identifier: MIT */
/*
 * Classes of states as frames (monitor=states): PROBE makes them from the events that kernel/report/report_trace.c
 * takes out of the buffer, so that a change of class costs its maker no more than an event.
 */
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"
#include "kernel/trace/trace.h"
#include "probe/stream/class_encode.h"
#include "probe/trace/class_runs.h"

static struct class_encoder sender; /* task PROBE, as all below */
static struct class_runs runs;
static bool begun;
static uint64_t end = UINT64_MAX; /* of the window, once it is closed; TSC */

static bool are_wanted(void)
{
    return (run_config()->monitor & MONITOR_STATES) != 0;
}

static void put_run(void *context, const struct class_stretch *run)
{
    (void)context;
    class_encoder_put(&sender, run);
}

/* A number may have another task by now: then its row is looked for, which stays until it is needed. */
static struct span name_of(uint32_t row, unsigned number)
{
    const struct task *t = &tasks[number % TASKS_MAX];

    for (uint32_t i = 0; t->id != row && i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        t = &tasks[i];
    return span_text(t->id == row ? t->name : "");
}

static void begin(const struct event_record *first, uint64_t number)
{
    const uint64_t time = probe.counters.begin - run_state->start;

    class_encoder_begin(&sender, &(struct class_encoder_request){
        .epoch = frame_tx_epoch(), .unit = report_time_unit(), .send = frame_tx_take,
    });
    class_runs_begin(&runs, &(struct class_runs_request){
        .tree = trace_tree(), .classes = trace_tree_classes(run_config()), .time = time, .name = name_of,
        .put = put_run,
    });
    if (number != 0)
        class_runs_skip(&runs, first->time - run_state->start, number);
    begun = true;
}

void report_states_prepare(void)
{
    begun = false;
    end = UINT64_MAX;
}

void report_states_close(uint64_t at)
{
    end = at;
}

void report_states_take(const struct event_record *e, uint64_t number)
{
    const uint64_t first_lost = trace_ring.lost_time != 0 ? trace_ring.lost_time - run_state->start : 0;

    if (!are_wanted() || e->time > end)
        return;
    if (!begun)
        begin(e, number);
    class_encoder_lost(&sender, trace_ring.told, first_lost);
    class_runs_take(&runs, e->time - run_state->start, event_record_class(e), event_record_argument(e));
}

void report_states_flush(void)
{
    if (begun)
        class_encoder_flush(&sender);
}

void report_states_end(void)
{
    if (!begun)
        return;
    class_runs_end(&runs, end - run_state->start);
    class_encoder_end(&sender, end - run_state->start);
}
