/* SPDX-License-Identifier: MIT */
/* What tasks= names: the workloads, the programs of files, and those of them that run. */
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/linux/spawn.h"
#include "kernel/sched/task.h"
#include "kernel/workload/row_names.h"
#include "kernel/workload/workload.h"
#include "probe/config/task_spec.h"
#include "probe/text/nearest.h"

#define RUNNING_MAX 16

extern const struct workload *const workloads[], *const workloads_end[]; /* linker.ld */

static const struct workload *running[RUNNING_MAX]; /* constant once tasks run */
static uint32_t runs, files; /* of it; tasks of files */

/* ---- workloads ---- */

static const struct workload *find_workload(struct span name)
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
    const struct workload *const w = find_workload(name);

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

/* ---- programs of files ---- */

static void put_names(struct text_buf *out)
{
    const struct module_file *f;

    buf_reset(out);
    for (uint32_t i = 0; (f = module_file_at(i)) != 0; i++)
        buf_parts(out, i != 0 ? " " : "", f->name);
}

/* How files come by this door. */
static const char *door_brings(const char *door)
{
    if (string_equal(door, "multiboot"))
        return "the loader's modules do";
    if (string_equal(door, "rom"))
        return "those that tools/rom-config --files puts into the image do";
    if (string_equal(door, "linux"))
        return "the loader's initial RAM disk does, with the name initrd";
    return "those in the folder tasks, beside cpuprobe.cfg, do";
}

/* A file that a word names; NULL, with an error in the log. */
static const struct module_file *find_file(const char *word, struct span name)
{
    char text[FILE_NAME_SIZE], there[LOG_LINE_MAX];
    struct text_buf wanted = TEXT_BUF(text), names = TEXT_BUF(there);
    const struct module_file *file;

    buf_reset(&wanted);
    buf_span(&wanted, name);
    file = module_file_find(text);
    if (file != 0)
        return file;
    put_names(&names);
    if (names.length == 0)
        log_line(LOG_ERROR, word, "=file:", text, ": no file came with the image (by the door ",
                 run_state->boot->door, " ", door_brings(run_state->boot->door), ")");
    else
        log_line(LOG_ERROR, word, "=file:", text, ": no file of this name came with the image, but: ", there);
    return 0;
}

static bool find_input(const struct module_file **input)
{
    const char *const value = run_config()->standard_input;
    struct span rest = span_text(value);
    struct task_spec spec;

    *input = 0;
    if (value[0] == '\0')
        return true;
    task_spec_next(&rest, &spec);
    *input = find_file("stdin", spec.name);
    return *input != 0;
}

/* False: it cannot run, and the log says why. */
static bool spawn(const struct module_file *file, const struct spawn *as)
{
    struct refusal why;
    char text[REFUSAL_TEXT];
    struct task *const t = task_spawn_file(file, as, &why);

    if (t == 0) {
        log_line(LOG_ERROR, "tasks=file:", file->name, ": ", refusal_text(&why, text));
        return false;
    }
    t->held = true; /* until its end is told; other tasks' slots are reused at once */
    task_start(t);
    return true;
}

/* False: a word names a file that did not come.  A program that cannot run does not keep the others from running. */
static bool start_file(const struct task_spec *spec)
{
    const uint32_t number = tasks_so_far() + files + 1; /* of its row by identity=task */
    char arguments[CONFIG_TASKS_SIZE];
    struct text_buf b = TEXT_BUF(arguments);
    const struct module_file *input, *const file = find_file("tasks", spec->name);
    const struct row_name *row;

    if (file == 0 || !find_input(&input))
        return false;
    row = row_name_of_file(file);
    buf_reset(&b);
    buf_span(&b, spec->arguments);
    files += spawn(file, &(struct spawn){ .name = row->name, .input = input,
                                          .id = run_config()->identity == IDENTITY_TASK ? number : row->id,
                                          .arguments = spec->arguments.length != 0 ? arguments : file->arguments });
    return true;
}

/* ---- what runs ---- */

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
