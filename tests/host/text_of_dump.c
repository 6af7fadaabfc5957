/* SPDX-License-Identifier: MIT */
/*
 * Runs the image's own display of regions (kernel/report/report_histogram.c, with the
 * names of kernel/mm/symbols.c) on the host, over the snapshot of a dump:
 * text_of_dump DUMP SYMBOLS.  A form feed stands between regions.  So one test
 * can hold the text on the serial line against the host tool's, counter for
 * counter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/lib/run_state.h"
#include "kernel/mm/programs.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"
#include "tools/analysis/report.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/model/stream_model.h"

/* What report_histogram.c and symbols.c see of the image. */
struct task tasks[TASKS_MAX];
char symbol_table[1 << 17]; /* ended by the zeros that nothing is read over */

static struct program programs[TASKS_MAX];
static struct table_options options;

struct table_options report_table_options(const struct snapshot *s)
{
    (void)s;
    return options;
}

const struct program *program_at(uint32_t index)
{
    return index < TASKS_MAX && programs[index].name ? &programs[index] : NULL;
}

/* The tasks and their programs, as NAMES and PROGRAMS told them. */
static void set_tasks(const struct epoch *e)
{
    for (size_t i = 0; i < e->name_count && i < TASKS_MAX; i++) {
        tasks[i].state = TASK_READY;
        tasks[i].id = e->names[i].id;
        tasks[i].program = (uint32_t)e->names[i].program;
        memcpy(tasks[i].name, e->names[i].name, NAME_SIZE);
    }
    for (size_t i = 0; i < e->program_count; i++)
        if (e->programs[i].number - 1 < TASKS_MAX)
            programs[e->programs[i].number - 1].name = e->programs[i].name.bytes;
}

static void read_symbols(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (!file || !fread(symbol_table, 1, sizeof(symbol_table) - 1, file)) {
        cli_error("%s: no table of names", path);
        exit(EXIT_NO_DATA);
    }
    fclose(file);
}

static void put_line(void *context, const char *text)
{
    (void)context;
    puts(text);
}

int main(int argc, char **argv)
{
    struct model *model = xcalloc(1, sizeof(*model));
    struct frame_decoder stream;
    struct epoch *e;

    if (argc != 3)
        return EXIT_USAGE;
    read_symbols(argv[2]);
    model_read(argv[1], &stream, model);
    if (stream.failed || !(e = model_choose(model, 0)) || !e->snapshot)
        return EXIT_NO_DATA;
    run_state_set_config(&e->words);
    options = report_options(e);
    set_tasks(e);
    for (uint32_t i = 0; i < e->snapshot->regions; i++) {
        report_histogram(e->snapshot, i, &(struct report_view){ .min = 0 }, put_line);
        putchar('\f');
    }
    model_free(model);
    free(model);
    return EXIT_OK;
}
