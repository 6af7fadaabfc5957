/* SPDX-License-Identifier: MIT */
/* Programs of files as tasks: what tasks=file:NAME makes. */
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/linux/spawn.h"
#include "kernel/workload/row_names.h"
#include "kernel/workload/workload.h"

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
static const struct module_file *find(const char *word, struct span name)
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

/* ---- tasks ---- */

static bool find_input(const struct module_file **input)
{
    const char *const value = run_config()->standard_input;
    struct span rest = span_text(value);
    struct task_spec spec;

    *input = 0;
    if (value[0] == '\0')
        return true;
    task_spec_next(&rest, &spec);
    *input = find("stdin", spec.name);
    return *input != 0;
}

/* False: it cannot run, and the log says why. */
static bool start(const struct module_file *file, const struct spawn *as)
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

enum workload_file workload_start_file(const struct task_spec *spec, uint32_t number)
{
    char arguments[CONFIG_TASKS_SIZE];
    struct text_buf b = TEXT_BUF(arguments);
    const struct module_file *input, *const file = find("tasks", spec->name);
    const struct row_name *row;

    if (file == 0 || !find_input(&input))
        return WORKLOAD_FILE_ABSENT;
    row = row_name_of_file(file);
    buf_reset(&b);
    buf_span(&b, spec->arguments);
    return start(file, &(struct spawn){ .name = row->name, .input = input,
                                        .id = run_config()->identity == IDENTITY_TASK ? number : row->id,
                                        .arguments = spec->arguments.length != 0 ? arguments : file->arguments })
               ? WORKLOAD_FILE_STARTED : WORKLOAD_FILE_REFUSED;
}
