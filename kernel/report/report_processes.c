/* SPDX-License-Identifier: MIT */
/* Sends the record PROCESS of each task that runs a file; prints how those ended, and which calls they missed. */
#include "kernel/report/run.h"

#include "kernel/account/exact_time.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/linux/linux_calls.h"
#include "kernel/process/process.h"
#include "kernel/sched/task.h"

static struct wire_text text(const char *t)
{
    return (struct wire_text){ t, string_length(t) };
}

static uint64_t state_of(const struct task *t)
{
    if (t->state != TASK_ENDED)
        return 0;
    return t->process->exited ? 1 : 2;
}

static void send(const struct task *t)
{
    const struct process *const p = t->process;

    frame_tx_begin(WIRE_PROCESS, &(struct wire_process){
        .epoch = frame_tx_epoch(), .id = t->id, .program = p->program_number, .base = p->base, .state = state_of(t),
        .status = (uint64_t)p->status, .generation = p->generation, .name = text(t->name),
    });
    for (uint32_t i = 0; i < PROCESS_UNKNOWN && p->unknown[i].count != 0; i++)
        frame_tx_row(&(struct wire_process_row){
            .call = p->unknown[i].number, .name = text(linux_call_name(p->unknown[i].number)),
            .count = p->unknown[i].count,
        });
    frame_tx_end();
}

static void tell_calls(const struct task *t)
{
    const struct process *const p = t->process;
    char calls[LOG_LINE_MAX];
    struct text_buf b = TEXT_BUF(calls);

    for (uint32_t i = 0; i < PROCESS_UNKNOWN && p->unknown[i].count != 0; i++)
        buf_parts(&b, i != 0 ? ", " : "", linux_call_name(p->unknown[i].number), " (", DECIMAL(p->unknown[i].number),
                  ") ", DECIMAL(p->unknown[i].count));
    if (b.length != 0)
        log_line(LOG_NOTE, "task ", t->name, " made calls that are not there, so often: ", calls);
}

/* Once for each task. */
static void tell_threads(const struct task *t)
{
    struct process *const p = t->process;

    if (p->thread_call == 0 || p->threads_told)
        return;
    p->threads_told = true;
    log_line(LOG_WARNING, "task ", t->name, " called ", linux_call_name(p->thread_call),
             ": programs have one thread here, and what it does without the other may be wrong");
}

static void tell_end(const struct task *t)
{
    if (t->state != TASK_ENDED)
        return;
    if (t->process->exited)
        log_line(LOG_NOTE, "task ", t->name, " exited with status ", DECIMAL((uint64_t)t->process->status));
    tell_calls(t);
}

/*
 * Keep a task's process while it is told: the line may make PROBE wait, and meanwhile the task may end, its memory be
 * released and another task get the slot.  False: there is none.
 */
static bool hold(struct task *t, bool *held, bool *ended)
{
    const bool on = irq_save();
    const bool runs_file = t->process != 0;

    *held = t->held;
    *ended = t->state == TASK_ENDED;
    t->held = t->held || runs_file;
    irq_restore(on);
    return runs_file;
}

void report_processes(void)
{
    bool held, ended;

    for (uint32_t i = 1; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++) {
        if (!hold(&tasks[i], &held, &ended))
            continue;
        if (run_in_frames())
            send(&tasks[i]);
        else
            tell_end(&tasks[i]);
        tell_threads(&tasks[i]);
        tasks[i].held = held && !ended; /* its end was told */
    }
}
