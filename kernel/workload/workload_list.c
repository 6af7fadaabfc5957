/* SPDX-License-Identifier: MIT */
/* The workloads, and those of them that run: the list of tasks=. */
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/linux/spawn.h"
#include "kernel/sched/task.h"
#include "kernel/workload/workload.h"
#include "probe/config/task_spec.h"
#include "probe/text/nearest.h"

#define RUNNING_MAX 16

extern const struct workload *const workloads[], *const workloads_end[]; /* linker.ld */

static const struct workload *running[RUNNING_MAX]; /* constant once tasks run */
static uint32_t runs, files; /* of it; tasks of files */

static const struct workload *find(struct span name)
{
    for (const struct workload *const *w = workloads; w < workloads_end; w++)
        if (span_is(name, (*w)->name))
            return *w;
    return 0;
}

static void refuse(struct span name)
{
    char allowed[LOG_LINE_MAX], wrong[LOG_LINE_MAX];
    struct text_buf b = TEXT_BUF(allowed), quoted = TEXT_BUF(wrong);
    struct nearest near = {.typed = name};

    buf_quoted(&quoted, name);
    for (const struct workload *const *w = workloads; w < workloads_end; w++) {
        buf_parts(&b, w != workloads ? " " : "", (*w)->name);
        nearest_offer(&near, span_text((*w)->name));
    }
    buf_text(&quoted, " for tasks");
    nearest_put(&quoted, near.name);
    log_line(LOG_ERROR, "unknown value ", wrong, " (allowed: ", allowed, ")");
}

/* `first`: tasks of the workloads before this one. */
static bool start_workload(struct span name, uint32_t first)
{
    const struct workload *const w = find(name);

    if (w == 0) {
        refuse(name);
        return false;
    }
    running[runs++] = w;
    return workload_start_tasks(w, first);
}

static bool runs_already(const struct workload *w)
{
    for (uint32_t i = 0; i < runs; i++)
        if (running[i] == w)
            return true;
    return false;
}

/* That of monitor=idletask runs beside any workload; the monitor is refused later where there is none. */
static bool start_idle_task(void)
{
    const bool asked = run_config()->monitor & MONITOR_IDLETASK;

    return !asked || runs_already(&workload_idletask) || workload_start_tasks(&workload_idletask, TASKS_MAX / 2);
}

/* Tasks that the rows of a workload make before any runs. */
static uint32_t tasks_of(const struct workload *w)
{
    uint32_t tasks = w->tasks;

    for (unsigned i = 0; i < w->tasks; i++)
        tasks += w->task[i].beside != 0 ? tasks_of(w->task[i].beside) : 0;
    return tasks;
}

static uint32_t tasks_so_far(void)
{
    uint32_t tasks = 0;

    for (uint32_t i = 0; i < runs; i++)
        tasks += tasks_of(running[i]);
    return tasks;
}

static bool start_file(const struct task_spec *spec)
{
    const enum workload_file answer = workload_start_file(spec, tasks_so_far() + files + 1);

    files += answer == WORKLOAD_FILE_STARTED;
    return answer != WORKLOAD_FILE_ABSENT;
}

/* A program that cannot run does not keep the others from running. */
bool workload_start(const char *list)
{
    struct span rest = span_text(list);
    struct task_spec spec;

    while (task_spec_next(&rest, &spec)) {
        if (runs + files == RUNNING_MAX) {
            log_line(LOG_ERROR, "tasks=: there are more than ", DECIMAL(RUNNING_MAX));
            return false;
        }
        if (spec.file ? !start_file(&spec) : !start_workload(spec.name, tasks_so_far() + files))
            return false;
    }
    return runs + files != 0 && start_idle_task();
}

bool workload_may_end(void)
{
    return runs == 0 && files != 0;
}

bool workload_is_over(void)
{
    return workload_may_end() && spawn_all_ended();
}

static bool prepare_row(const struct workload_task *row)
{
    struct refusal why = { .reason = "" };
    char text[REFUSAL_TEXT];

    if (row->prepare == 0 || row->prepare(&why))
        return true;
    log_line(LOG_ERROR, "task ", row->name, " needs ", refusal_text(&why, text));
    return false;
}

bool workload_prepare(void)
{
    for (uint32_t i = 0; i < runs; i++)
        for (unsigned row = 0; row < running[i]->tasks; row++)
            if (!prepare_row(&running[i]->task[row]))
                return false;
    return true;
}

const char *workload_note(void)
{
    for (uint32_t i = 0; i < runs; i++)
        for (unsigned row = 0; row < running[i]->tasks; row++)
            if (running[i]->task[row].note != 0)
                return running[i]->task[row].note;
    return "";
}

void workload_report(void)
{
    for (uint32_t i = 0; i < runs; i++)
        for (unsigned row = 0; row < running[i]->tasks; row++)
            if (running[i]->task[row].tell != 0)
                running[i]->task[row].tell();
}
