/* SPDX-License-Identifier: MIT */
/* `cpuprobe gantt`: who had the processor when, for a terminal and as SVG. */
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/output_file.h"
#include "tools/base/pager.h"
#include "tools/cmd/commands.h"
#include "tools/draw/gantt.h"
#include "tools/input/class_tree_input.h"
#include "tools/input/timeline_input.h"
#include "tools/trace/class_sequence.h"
#include "tools/trace/time_grid.h"
#include "tools/view/histogram_view.h"

#define ROWS_MOST   30 /* of tasks, unless more are asked for */
#define PX          1200
#define PX_A_COLUMN 2

struct arguments {
    struct timeline_input in; /* first: its path */
    const char *svg;
    const char *classes; /* the tree, as given; NULL: no rows of classes */
    unsigned width, rows;
    bool ascii;
    bool recorded; /* rows of the classes that the image recorded */
    struct class_tree tree;
    struct class_sequence sequence;
    struct time_grid grid;
    struct gantt gantt;
};

static const struct option_row options[] = {
    OPTION_SVG(svg),
    OPTION_WIDTH(width),
    {"rows", 0, "N", "the N tasks with the longest time (30)", SET_NUMBER(rows, 0, GRID_ROWS)},
    {"classes", 'c', "TREE", "rows of classes of states too, of this tree, a text or @FILE, as `cpuprobe states` "
     "reads it; without it, of the classes that the image recorded", SET_TEXT(classes)},
    OPTION_ASCII(ascii, "letters"),
    {0},
};

static const struct gantt_state states[] = {
    [MODE_USER] = {"user", "f0", "\u2588", 'u', 34},
    [MODE_SUPERVISOR] = {"supervisor", "f2", "\u2593", 's', 32},
    [MODE_KERNEL] = {"kernel", "f1", "\u2592", 'k', 33},
    [MODE_INTERRUPT] = {"interrupt", "f3", "\u2591", 'i', 31},
    [GRID_NO_MODE] = {"mode not known", "f7", "?", '?', 37},
    [GRID_IRQ_OFF] = {"interrupts off", "f5", "\u2584", 'm', 35},
    [GRID_TICK] = {"tick's handler", "f8", "\u2580", 't', 90},
    [GRID_NOTHING] = {"nothing is known", "lost", "~", '~', 90},
    [GRID_IN_CLASS] = {"in the class", "f9", "\u2588", '#', 36},
};

static unsigned columns_of(const struct arguments *a)
{
    const unsigned wide = a->width ? a->width : a->svg ? PX : view_columns(VIEW_COLUMNS);
    const unsigned columns = a->svg ? wide / PX_A_COLUMN : wide > GANTT_BESIDE + 10 ? wide - GANTT_BESIDE : 10;

    return columns < GRID_COLUMNS ? columns : GRID_COLUMNS;
}

static void take_run(void *context, const struct class_run *run)
{
    struct arguments *a = context;

    time_grid_add(&a->grid, GRID_CLASSES + run->code, GRID_IN_CLASS, run->begin, run->end);
}

/* Read once; recorded classes are read on their own, behind the states that may be beside them. */
static void read_items(struct arguments *a, bool classes)
{
    const struct class_receiver to = {take_run, NULL, a};
    struct timeline_item item;

    if (classes)
        class_sequence_begin(&a->sequence, &a->tree, timeline_epoch(a->in.timeline), &to);
    while (timeline_next(a->in.timeline, &item)) {
        run_grid_add(&a->grid, &item);
        if (classes)
            class_sequence_add(&a->sequence, &item);
    }
    if (classes)
        class_sequence_end(&a->sequence);
}

static bool fill_grid(struct arguments *a)
{
    time_grid_begin(&a->grid, a->in.from, a->in.to, columns_of(a));
    if (a->recorded && !timeline_read_classes(a->in.timeline, false))
        return false;
    read_items(a, a->classes != NULL);
    if (a->recorded) {
        if (!timeline_read_classes(a->in.timeline, true))
            return false;
        read_items(a, true);
    }
    run_grid_sort(&a->grid);
    return true;
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
    if (a->rows && tasks > a->rows)
        cli_error("%s: %zu tasks are not drawn, those with the shortest times: --rows %zu draws all", a->in.path,
                  tasks - a->rows, tasks);
}

static void set_name(const struct arguments *a, uint64_t key, char name[GANTT_NAME + 1])
{
    const unsigned code = (unsigned)(key - GRID_CLASSES);

    if (key < GRID_CLASSES || key == GRID_OTHERS)
        run_grid_name(timeline_epoch(a->in.timeline), key, name);
    else
        snprintf(name, GANTT_NAME + 1, "%c %.*s", class_letter(code), GANTT_NAME - 2,
                 class_tree_name(&a->tree, code));
}

static void set_gantt(struct arguments *a, char *title)
{
    struct gantt *g = &a->gantt;

    *g = (struct gantt){
        .grid = &a->grid, .rows = a->grid.rows, .hz = a->in.hz, .title = title, .ascii = a->ascii,
        .colour = pager_has_colour(), .width = a->width ? a->width : PX,
        .name = xrealloc_array(NULL, a->grid.rows, sizeof(*g->name)),
    };
    memcpy(g->state, states, sizeof(states));
    /* Tasks come first, that with most time at the top (run_grid_sort()). */
    g->guilty = g->rows && run_grid_is_task(a->grid.row[0].key) && a->grid.row[0].key != ROW_IDLE ? 0 : g->rows;
    for (size_t r = 0; r < a->grid.rows; r++)
        set_name(a, a->grid.row[r].key, g->name[r]);
}

/* False, with a message, if that cannot be. */
static bool read_all(struct arguments *a)
{
    struct timeline *const t = a->in.timeline;

    a->recorded = !a->classes && timeline_has_classes(t);
    if (a->recorded &&
        !(class_tree_of_image(&a->tree, a->in.path, timeline_epoch(t)) && timeline_read_classes(t, true)))
        return false;
    return timeline_input_limits(&a->in) && fill_grid(a);
}

static int report(void *arguments)
{
    struct arguments *a = arguments;
    char title[160];
    int code, damage;

    a->ascii = a->ascii || !pager_has_blocks();
    if (a->classes && !class_tree_input(&a->tree, a->classes))
        return EXIT_USAGE;
    if (!read_all(a))
        return EXIT_NO_DATA;
    fold_rows(a);
    snprintf(title, sizeof(title), "%.100s, %.6f to %.6f s", a->in.path, timeline_seconds(&a->in, a->in.from),
             timeline_seconds(&a->in, a->in.to));
    set_gantt(a, title);
    if (!a->svg)
        gantt_print(&a->gantt, stdout);
    code = a->svg && !output_to_file(a->svg, gantt_svg, &a->gantt) ? EXIT_NO_DATA :
           (a->classes || a->recorded) && !class_tree_was_known(a->in.path, &a->sequence) ? EXIT_DAMAGED : EXIT_OK;
    free(a->gantt.name);
    time_grid_free(&a->grid);
    damage = timeline_input_report(&a->in);
    return code ? code : damage;
}

const struct subcommand cmd_gantt = {
    .name = "gantt", .what = "draw who had the processor when, for a terminal or as SVG",
    .through = timeline_command, .run = report, .bytes = sizeof(struct arguments),
    .initial = &(const struct arguments){.rows = ROWS_MOST},
    .own = {options}, .shared = {{&timeline_options}}, .args_doc = "FILE",
    .doc = "Draw who had the processor when: a row for each task, in the colour of its mode, and rows for "
           "interrupts, for sections with interrupts off and for the tick's handler; with --classes a row for each "
           "class of states.",
    .example = {"cpuprobe gantt events.dump", "cpuprobe gantt --svg gantt.svg events.dump"},
};
