/* SPDX-License-Identifier: MIT */
/* Programs of files as tasks: what tasks=file:NAME makes. */
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/mm/module_files.h"
#include "kernel/workload/workload.h"

static void put_names(struct text_buf *out)
{
    const struct module_file *f;

    for (uint32_t i = 0; (f = module_file_at(i)) != 0; i++)
        buf_parts(out, i != 0 ? " " : "", f->name);
}

/* A file that a word names; NULL, with an error in the log. */
static const struct module_file *find(const char *word, struct span name)
{
    char text[FILE_NAME_SIZE], there[LOG_LINE_MAX];
    struct text_buf wanted = TEXT_BUF(text), names = TEXT_BUF(there);
    const struct module_file *file;

    buf_span(&wanted, name);
    file = module_file_find(text);
    if (file != 0)
        return file;
    put_names(&names);
    if (names.length == 0)
        log_line(LOG_ERROR, word, "=file:", text, ": the door ", run_state->boot->door, " brought no files with the image");
    else
        log_line(LOG_ERROR, word, "=file:", text, ": no file of this name came with the image, but: ", there);
    return 0;
}

bool workload_start_file(const struct task_spec *spec)
{
    if (find("tasks", spec->name) == 0)
        return false;
    log_line(LOG_ERROR, "tasks=file: this version runs no programs of files");
    return false;
}
