/* SPDX-License-Identifier: MIT */
/* `cpuprobe gantt`: who had the processor when, for a terminal and as SVG. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/cli.h"
#include "tools/draw/gantt.h"
#include "tools/trace/run_grid.h"
#include "tools/view/histogram_view.h"
#include "tools/view/svg_output.h"
#include "tools/view/timeline_input.h"

#define ROWS_MOST   30 /* of tasks, unless more are asked for */
#define PX_MOST     8000
#define PX          1200
#define PX_A_COLUMN 2

struct arguments {
    struct timeline_input in; /* first: its path */
    const char *svg;
    unsigned width, rows;
    bool ascii;
    struct time_grid grid;
    struct gantt gantt;
};

enum { OPTION_SVG = 256, OPTION_WIDTH, OPTION_ROWS, OPTION_ASCII };

static const struct argp_option options[] = {
    {"svg", OPTION_SVG, "OUT.svg", 0, "draw it as SVG, to this file; '-' is standard output", 0},
    {"width", OPTION_WIDTH, "N", 0, "columns of the terminal, or px of the drawing", 0},
    {"rows", OPTION_ROWS, "N", 0, "the N tasks with the longest time (30)", 0},
    {"ascii", OPTION_ASCII, NULL, 0, "letters instead of block characters", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->in; return 0;
    case OPTION_SVG: a->svg = text; return 0;
    case OPTION_WIDTH: a->width = (unsigned)cli_number(text, 40, PX_MOST, state); return 0;
    case OPTION_ROWS: a->rows = (unsigned)cli_number(text, 1, GRID_ROWS, state); return 0;
    case OPTION_ASCII: a->ascii = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct gantt_state states[] = {
    [MODE_USER] = {"user", "f0", "\u2588", 'u', 34},
    [MODE_SUPERVISOR] = {"supervisor", "f2", "\u2593", 's', 32},
    [MODE_KERNEL] = {"kernel", "f1", "\u2592", 'k', 33},
    [MODE_INTERRUPT] = {"interrupt", "f3", "\u2591", 'i', 31},
    [GRID_NO_MODE] = {"mode not known", "f7", "?", '?', 37},
    [GRID_IRQ_OFF] = {"interrupts off", "f5", "\u2584", 'm', 35},
    [GRID_TICK] = {"tick's handler", "f8", "\u2580", 't', 90},
    [GRID_NOTHING] = {"nothing is known", "lost", "~", '~', 90},
};

static unsigned columns_of(const struct arguments *a)
{
    const unsigned wide = a->width ? a->width : a->svg ? PX : view_columns();
    const unsigned columns = a->svg ? wide / PX_A_COLUMN : wide > GANTT_BESIDE + 10 ? wide - GANTT_BESIDE : 10;

    return columns < GRID_COLUMNS ? columns : GRID_COLUMNS;
}

static void fill_grid(struct arguments *a)
{
    struct timeline_item item;

    time_grid_begin(&a->grid, a->in.from, a->in.to, columns_of(a));
    while (timeline_next(a->in.timeline, &item))
        run_grid_add(&a->grid, &item);
    run_grid_sort(&a->grid);
}

/* Leave out the tasks past --rows, which are the shortest. */
static void fold_rows(struct arguments *a)
{
    size_t tasks = 0, kept = 0;

    for (size_t r = 0; r < a->grid.rows; r++) {
        struct grid_row *row = &a->grid.row[r];

        if (run_grid_is_task(row->key) && row->key != ROW_IDLE && tasks++ >= a->rows) {
            free(row->cell);
            continue;
        }
        a->grid.row[kept++] = *row;
    }
    a->grid.rows = kept;
    if (tasks > a->rows)
        cli_error("%s: %zu tasks are not drawn, those with the shortest times: --rows %zu draws all", a->in.path,
                  tasks - a->rows, tasks);
}

static void set_gantt(struct arguments *a, char *title)
{
    struct gantt *g = &a->gantt;

    *g = (struct gantt){
        .grid = &a->grid, .rows = a->grid.rows, .hz = a->in.hz, .title = title, .ascii = a->ascii,
        .colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"),
        .name = xrealloc_array(NULL, a->grid.rows, sizeof(*g->name)),
    };
    memcpy(g->state, states, sizeof(states));
    for (size_t r = 0; r < a->grid.rows; r++)
        run_grid_name(timeline_epoch(a->in.timeline), a->grid.row[r].key, g->name[r]);
}

static bool draw(const void *what, FILE *out)
{
    const struct arguments *a = what;

    return gantt_svg(&a->gantt, out, a->width ? a->width : PX);
}

static int report(struct arguments *a)
{
    char title[160];
    int code;

    if (!timeline_input_open(&a->in))
        return EXIT_NO_DATA;
    if (!timeline_input_limits(&a->in)) {
        timeline_close(a->in.timeline);
        return EXIT_NO_DATA;
    }
    fill_grid(a);
    fold_rows(a);
    snprintf(title, sizeof(title), "%.100s, %.6f to %.6f s", a->in.path, timeline_seconds(&a->in, a->in.from),
             timeline_seconds(&a->in, a->in.to));
    set_gantt(a, title);
    if (!a->svg)
        gantt_print(&a->gantt, stdout);
    code = a->svg && !svg_output(a->svg, draw, a) ? EXIT_NO_DATA : EXIT_OK;
    free(a->gantt.name);
    time_grid_free(&a->grid);
    return code ? code : timeline_input_close(&a->in);
}

int cmd_gantt(int argc, char **argv)
{
    static const struct argp_child children[] = {{&timeline_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options, .parser = parse, .children = children, .args_doc = "FILE",
        .doc = "Draw who had the processor when: a row for each task, in the colour of its mode, and rows for "
               "interrupts, for sections with interrupts off and for the tick's handler.",
    };
    struct arguments a = {.in = TIMELINE_INPUT, .rows = ROWS_MOST};

    argp_parse(&argp, argc, argv, 0, NULL, &a);
    return report(&a);
}
