/* SPDX-License-Identifier: MIT */
/* `cpuprobe load`: the load of the processor over a run, per task and in all, for a terminal and as SVG. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/output_file.h"
#include "tools/base/pager.h"
#include "tools/base/report_object.h"
#include "tools/base/saturate.h"
#include "tools/cmd/commands.h"
#include "tools/draw/load_chart.h"
#include "tools/input/timeline_input.h"
#include "tools/trace/time_grid.h"
#include "tools/view/histogram_view.h"
#include "tools/view/run_load.h"

static const char *const load_sources[] = {"states", "snapshots", "acct", "ranges", NULL};

#define LOAD_ROW_MEMBERS(M, O)                                                      \
    M(TEXT, name, "its name; null: that is no UTF-8")                               \
    M(REALS, percent, "the same of this row alone, percent")
REPORT_OBJECT(load_row, LOAD_ROW_MEMBERS)

#define LOAD_MEMBERS(M, O)                                                          \
    O(WORD, source, load_sources, "what the shares come from: states (events or the log of changes), " \
                                  "snapshots, acct (the account log), ranges (the same by user event)") \
    M(REAL, from, "where the first step begins, seconds since the image started")   \
    M(REAL, to, "where the last step ends, seconds since the image started")        \
    M(REAL, step, "length of a step, s")                                            \
    M(COUNT, steps, "how many steps: the length of each list below")                \
    M(REALS, load, "of each step the part of its known time in which a task ran, percent; null where nothing " \
                   "is known") \
    O(LIST, rows, load_row, "the tasks, or with ranges the user events, with the longest time, the longest first") \
    M(REALS, others, "the same of all tasks without a row, percent")
REPORT_WHOLE(load, "cpuprobe-load-1", LOAD_MEMBERS)

/* In percent; null where nothing is known of the step. */
static json_t *percent(double load)
{
    return json_finite(load < 0.0 ? NAN : 100.0 * load);
}

static json_t *steps(const struct load_chart *c, double (*of)(const struct load_chart *c, unsigned column))
{
    json_t *list = json_array();

    for (unsigned i = 0; i < c->grid->columns; i++)
        json_array_append_new(list, percent(of(c, i)));
    return list;
}

static json_t *row(const struct load_chart *c, size_t r)
{
    json_t *list = json_array();

    for (unsigned i = 0; i < c->grid->columns; i++)
        json_array_append_new(list, percent(load_of_row(c, r, i)));
    return REPORT_MAKE(load_row, c->name[r], list);
}

/* Print it; `source` names what the chart was made of. */
static void load_json(const struct load_chart *c, const char *source)
{
    const double from = (double)c->grid->from / c->hz, to = (double)c->grid->to / c->hz;
    json_t *rows = json_array();

    for (size_t r = 0; r < c->rows; r++)
        json_array_append_new(rows, row(c, r));
    json_print(REPORT_MAKE(load, .source = source, .from = from, .to = to, .step = (to - from) / c->grid->columns,
                           .steps = c->grid->columns, .load = steps(c, load_of_column), .rows = rows,
                           .others = steps(c, load_of_others)),
               JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}

#define ROWS_MOST 11 /* tasks that have a colour of their own, unless fewer are asked for */
#define PX        1000
#define PX_A_STEP 8

struct arguments {
    struct timeline_input in; /* first: its path */
    const char *svg;
    double step; /* seconds; 0: as many steps as fit */
    unsigned width, rows;
    bool table, json, ascii, acct, ranges;
    enum source { STATES, SNAPSHOTS, ACCT, RANGES } source;
    const char *range[WIRE_RANGE_MAX + 1]; /* names of user events; NULL: they have none */
    struct time_grid grid;
    struct load_chart chart;
    uint64_t *known; /* the chart's */
};

/* N=NAME */
static void take_range(void *input, char *text, struct argp_state *state)
{
    struct arguments *a = input;
    char *end;
    const unsigned long number = strtoul(text, &end, 10);

    if (*text < '0' || *text > '9' || *end != '=' || number > WIRE_RANGE_MAX || !end[1] ||
        strlen(end + 1) > LOAD_NAME)
        argp_error(state, "--range: '%s' is not N=NAME, a number up to %u and a name of up to %d characters", text,
                   WIRE_RANGE_MAX, LOAD_NAME);
    else
        a->range[number] = end + 1;
    a->ranges = true;
}

static const struct option_row options[] = {
    {"step", 0, "SECONDS", "one value for each stretch of this length", SET_SECONDS(step)},
    {"table", 0, NULL, "numbers, a line a step, for scripts", SET_FLAG(table)},
    OPTION_JSON(json),
    OPTION_SVG(svg),
    OPTION_WIDTH(width),
    {"rows", 0, "N", "the N tasks with the longest time (11)", SET_NUMBER(rows, 1, ROWS_MOST)},
    {"acct", 0, NULL, "by the account log (monitor=acct)", SET_FLAG(acct)},
    {"ranges", 0, NULL, "by the account log, of tasks after each of their user events", SET_FLAG(ranges)},
    {"range", 0, "N=NAME", "the same; user event N, 0 to 255, is called NAME", CALL(take_range)},
    OPTION_ASCII(ascii, "digits (tenths)"),
    {0},
};

static void check(void *input, struct argp_state *state)
{
    struct arguments *a = input;

    (void)state;
    if (a->ranges || a->acct)
        a->source = a->ranges ? RANGES : ACCT;
}

/* Columns of the grid, and its end, so that each has the length that was asked for. */
static bool set_columns(struct arguments *a, unsigned *columns)
{
    const unsigned wide = a->width ? a->width : a->svg ? PX : view_columns(VIEW_COLUMNS);
    const double steps = a->step > 0.0 ? ceil(((double)a->in.to - (double)a->in.from) / (a->step * a->in.hz)) : 0.0;

    if (steps > GRID_COLUMNS) {
        cli_error("--step: these are more than %u steps: show a shorter stretch by --from and --to", GRID_COLUMNS);
        return false;
    }
    *columns = steps > 0.0               ? (unsigned)steps
               : a->svg                  ? wide / PX_A_STEP
               : wide > LOAD_BESIDE + 10 ? wide - LOAD_BESIDE
                                         : 10;
    if (steps > 0.0)
        a->in.to = saturate_add(a->in.from, saturate_round(steps * a->step * a->in.hz));
    return true;
}

/* Whether a row has time that is not in another row too: all tasks have that of the ranges. */
static bool is_known(const struct arguments *a, uint64_t key)
{
    return a->source == RANGES ? key == GRID_OTHERS || key == ROW_IDLE : run_grid_is_task(key);
}

/* Of each column what tasks and IDLE had. */
static uint64_t *known_times(const struct arguments *a, const struct time_grid *g)
{
    uint64_t *known = xcalloc(g->columns, sizeof(*known));

    for (size_t r = 0; r < g->rows; r++)
        for (unsigned i = 0; is_known(a, g->row[r].key) && i < g->columns; i++)
            known[i] += grid_sum(g->row[r].cell[i].time);
    return known;
}

static void name_row(const struct arguments *a, uint64_t key, char name[NAME_SIZE])
{
    if (a->source != RANGES)
        run_grid_name(timeline_epoch(a->in.timeline), key, name);
    else if (a->range[key])
        snprintf(name, NAME_SIZE, "%s", a->range[key]);
    else
        snprintf(name, NAME_SIZE, "event:%u", (unsigned)key);
}

/* Tasks by time; what the others had is one row more. */
static void set_chart(struct arguments *a, const char *title)
{
    struct load_chart *c = &a->chart;

    *c = (struct load_chart){.grid = &a->grid, .hz = a->in.hz, .title = title, .ascii = a->ascii,
                             .width = a->width ? a->width : PX};
    for (size_t r = 0; r < a->grid.rows && c->rows < a->rows; r++) {
        const uint64_t key = a->grid.row[r].key;

        if (a->source == RANGES ? !is_known(a, key) : run_grid_is_task(key) && key != ROW_IDLE) {
            name_row(a, key, c->name[c->rows]);
            c->row[c->rows++] = r;
        }
    }
    c->idle = time_grid_row(&a->grid, ROW_IDLE);
    c->known = a->known = known_times(a, &a->grid);
}

static bool fill_grid(struct arguments *a)
{
    struct timeline_item item;
    unsigned columns;

    if (!set_columns(a, &columns))
        return false;
    time_grid_begin(&a->grid, a->in.from, a->in.to, columns);
    switch (a->source) {
    case SNAPSHOTS: snapshot_load_fill(&a->grid, a->in.timeline); break;
    case ACCT: acct_load_fill(&a->grid, timeline_epoch(a->in.timeline)); break;
    case RANGES: acct_load_fill_ranges(&a->grid, timeline_epoch(a->in.timeline)); break;
    case STATES:
        while (timeline_next(a->in.timeline, &item))
            run_grid_add(&a->grid, &item);
        break;
    }
    run_grid_sort(&a->grid);
    return true;
}

static int show(struct arguments *a)
{
    static const char *const by[] = {
        [SNAPSHOTS] = ", from snapshots", [ACCT] = ", from the account log", [RANGES] = ", by user event",
        [STATES] = "",
    };
    static const char *const sources[] = {[SNAPSHOTS] = "snapshots", [ACCT] = "acct", [RANGES] = "ranges",
                                          [STATES] = "states"};
    char title[200];
    int code;

    if (!fill_grid(a))
        return EXIT_NO_DATA;
    snprintf(title, sizeof(title), "Load, %.100s, %.6f to %.6f s%s", a->in.path, timeline_seconds(&a->in, a->in.from),
             timeline_seconds(&a->in, a->in.to), by[a->source]);
    set_chart(a, title);
    if (a->json)
        load_json(&a->chart, sources[a->source]);
    else if (a->table)
        load_chart_table(&a->chart, stdout);
    else if (!a->svg)
        load_chart_print(&a->chart, stdout);
    code = a->svg && !output_to_file(a->svg, load_chart_svg, &a->chart) ? EXIT_NO_DATA : EXIT_OK;
    free(a->known);
    return code;
}

/* The stretch that is shown; false, with a message, if the stream tells nothing of it. */
static bool find_limits(struct arguments *a)
{
    const struct epoch *e = timeline_epoch(a->in.timeline);
    int64_t begin, end;

    if (a->source == STATES && !epoch_has_events(e) && !e->transitions && snapshot_load_limits(e, &begin, &end))
        a->source = SNAPSHOTS;
    else if (a->source == STATES)
        return timeline_input_limits(&a->in);
    else if (!acct_load_limits(e, &begin, &end)) {
        cli_error("%s holds no account log: boot the image with monitor=acct", a->in.path);
        return false;
    }
    return timeline_input_within(&a->in, begin, end);
}

static int report(void *arguments)
{
    struct arguments *a = arguments;
    int code;

    a->ascii = a->ascii || !pager_has_blocks();
    code = find_limits(a) ? show(a) : EXIT_NO_DATA;
    time_grid_free(&a->grid);
    return code ? code : timeline_input_report(&a->in);
}

const struct subcommand cmd_load = {
    .name = "load", .what = "draw the load over time, of each task and in all",
    .through = timeline_command, .run = report, .bytes = sizeof(struct arguments),
    .initial = &(const struct arguments){.rows = ROWS_MOST},
    .own = {options, .check = check}, .shared = {{&timeline_options}}, .args_doc = "FILE", .json = {&load_object},
    .doc = "Draw the load of the processor over a run: in all, and each task's part of it.",
    .example = {"cpuprobe load --svg load.svg events.dump"},
};
