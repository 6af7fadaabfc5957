/* SPDX-License-Identifier: MIT */
/*
 * A page cannot hold every sample of an hour: columns are counted here, and more of them the fewer rows there are.  A
 * column of states tells thousandths of its time, one of samples their number.
 */
#include "tools/report/report_page.h"

#include <string.h>

#include "tools/analysis/profile.h"
#include "tools/input/class_tree_input.h"
#include "tools/timeline/epoch_pass.h"
#include "tools/timeline/timeline.h"
#include "tools/trace/class_sequence.h"
#include "tools/trace/time_grid.h"

struct sums {
    int64_t time[CLASS_CODES]; /* clock units */
    uint64_t runs[CLASS_CODES];
    int64_t whole;
};

static void take_run(void *context, const struct class_run *run)
{
    struct sums *s = context;

    s->time[run->code] += run->time;
    s->runs[run->code]++;
    s->whole += run->time;
}

static bool sum_classes(struct sums *s, struct class_tree *tree, struct timeline *t, const char *path)
{
    const struct class_receiver to = {take_run, NULL, s};
    struct class_sequence sequence;
    struct timeline_item item;

    if (!timeline_has_classes(t) || !class_tree_of_image(tree, path, timeline_epoch(t)) ||
        !timeline_read_classes(t, true))
        return false;
    class_sequence_begin(&sequence, tree, timeline_epoch(t), &to);
    while (timeline_next(t, &item))
        class_sequence_add(&sequence, &item);
    class_sequence_end(&sequence);
    return s->whole > 0;
}

#define CLASS_MEMBERS(M, O)                                                         \
    M(TEXT, name, "name of the class")                                              \
    M(REAL, percent, "its share of the time, percent")                              \
    M(REAL, seconds, "time in it, s")                                               \
    M(COUNT, changes, "entries into it")
REPORT_SHARED(report_class, CLASS_MEMBERS)

static json_t *list(const struct sums *s, const struct class_tree *tree, double hz)
{
    json_t *array = json_array();

    for (unsigned code = 0; code < CLASS_CODES; code++)
        if (s->runs[code])
            REPORT_ADD(array, report_class, .name = class_tree_name(tree, code),
                       .percent = 100.0 * (double)s->time[code] / (double)s->whole,
                       .seconds = (double)s->time[code] / hz, .changes = s->runs[code]);
    return array;
}

json_t *report_classes_json(const struct report_run *run)
{
    const struct timeline_request request = {.epoch = run->epoch->number};
    const double hz = (double)run->epoch->hello.clock_hz;
    struct sums sums = {.whole = 0};
    struct class_tree tree;
    struct timeline *t;
    json_t *classes = NULL;

    if (!run->epoch->states.frames || !(hz > 0.0) || !strcmp(run->path, "-"))
        return NULL;
    t = timeline_open(run->path, &request);
    if (!t)
        return NULL;
    if (sum_classes(&sums, &tree, t, run->path))
        classes = list(&sums, &tree, hz);
    timeline_close(t);
    return classes;
}

#define CELLS     (64u * 1024) /* in all, so that the page and the memory of its making are bounded */
#define LEAST     64u
#define MOST      2048u        /* a screen has no more, and a row of the grid takes 72 bytes a column */
#define OTHERS    8            /* rows beside those of the table */

struct lanes {
    const struct epoch *epoch;
    struct time_grid grid;
    double hz;
    bool states;
};

static unsigned columns_for(const struct epoch *e)
{
    const size_t rows = e->snapshot && e->snapshot->rows > e->name_count ? e->snapshot->rows : e->name_count;
    const size_t columns = CELLS / (rows + OTHERS);

    return columns < LEAST ? LEAST : columns > MOST ? MOST : (unsigned)columns;
}

/* Tasks of which the table knows nothing take no more cells than it left. */
static void begin_grid(struct lanes *l, int64_t begin, int64_t end)
{
    const unsigned columns = columns_for(l->epoch);

    time_grid_begin(&l->grid, begin, end, columns);
    if (CELLS / columns < l->grid.most)
        l->grid.most = CELLS / columns;
}

/* ---- filling ---- */

static bool fill_from_states(struct lanes *l, const struct report_run *run)
{
    const struct timeline_request request = {.epoch = run->epoch->number};
    struct timeline *t = timeline_open(run->again, &request);
    struct timeline_item item;
    int64_t begin = 0, end = 0;
    bool any;

    if (t)
        timeline_limits(t, &begin, &end);
    any = begin < end && timeline_rewind(t);
    if (any) {
        begin_grid(l, begin, end);
        while (timeline_next(t, &item))
            run_grid_add(&l->grid, &item);
    }
    if (t)
        timeline_close(t);
    return any;
}

/* Of a late sample the mode says nothing: something kept it from its moment. */
static unsigned state_of(const struct sample_place *at)
{
    if (!at->known || at->mode >= MODES)
        return GRID_NO_MODE;
    return at->delay == DELAY_NONE ? at->mode : GRID_IRQ_OFF;
}

/* A sample is one unit of time: what a column sums is then its samples. */
static void add_sample(void *context, const struct resolved_sample *s)
{
    struct lanes *l = context;
    const struct sample_place *at = &s->place;
    const int64_t time = (int64_t)s->time;

    if (time > 0)
        time_grid_add(&l->grid, at->known ? profile_row_of(at) : GRID_UNKNOWN, state_of(at), time, time + 1);
}

static bool fill_from_samples(struct lanes *l, const struct report_run *run)
{
    const struct samples *s = run->epoch->samples;
    const uint64_t begin = s->first_time, end = s->last_time + 1;
    struct epoch_pass *p;

    if (begin >= end || end > INT64_MAX)
        return false;
    p = epoch_pass_open(run->again, run->epoch->number);
    if (!p)
        return false;
    begin_grid(l, (int64_t)begin, (int64_t)end);
    epoch_pass_run(p, &(struct epoch_sink){.context = l, .on_sample = add_sample});
    epoch_pass_close(p);
    return true;
}

static bool has_states(const struct report_run *run)
{
    return run->again && (run->epoch->transitions || epoch_has_events(run->epoch));
}

static bool fill(struct lanes *l, const struct report_run *run)
{
    const struct samples *s = run->epoch->samples;

    l->states = has_states(run) && fill_from_states(l, run);
    return l->states || (s && s->timed && run->again && fill_from_samples(l, run));
}

/* ---- JSON ---- */

static uint64_t value_of(const struct lanes *l, const struct grid_row *row, unsigned state, unsigned column)
{
    const uint64_t time = row->cell[column].time[state];
    const uint64_t length = (uint64_t)time_grid_column(&l->grid, column + 1) -
                            (uint64_t)time_grid_column(&l->grid, column);

    if (!l->states || !length)
        return time;
    return (uint64_t)(((unsigned __int128)time * 1000 + length / 2) / length);
}

#define STATES_MEMBERS(M, O)                                                        \
    M(COUNTS_IF, user, "in user mode")                                              \
    M(COUNTS_IF, supervisor, "in supervisor mode")                                  \
    M(COUNTS_IF, kernel, "in the kernel")                                           \
    M(COUNTS_IF, interrupt, "in interrupt handlers")                                \
    M(COUNTS_IF, unknown, "in a mode that is not known")                            \
    M(COUNTS_IF, masked, "with interrupts off")                                     \
    M(COUNTS_IF, monitor, "in the handler of ticks")                                \
    M(COUNTS_IF, missing, "of which nothing is known")
REPORT_OBJECT(lane_states, STATES_MEMBERS)

#define LANE_MEMBERS(M, O)                                                          \
    M(TEXT, name, "what the row is about")                                          \
    M(FLAG, task, "it is a task")                                                   \
    O(OBJECT, states, lane_states, "by state a value a column: thousandths of its time, of samples their number")
REPORT_OBJECT(lane, LANE_MEMBERS)

#define NO_LANES_MEMBERS(M, O)                                                      \
    M(TEXT, source, "null: there are none")                                         \
    M(WORD, reason, "why there are none")
REPORT_OBJECT(no_lanes, NO_LANES_MEMBERS)

static const char *const source[] = {"samples", "states", NULL};

#define LANES_MEMBERS(M, O)                                                         \
    O(WORD, source, source, "what they are made of")                                \
    M(REAL, begin, "their begin, s since the image started")                        \
    M(REAL, end, "their end, s since the image started")                            \
    M(COUNT, columns, "columns of each row")                                        \
    O(LIST, rows, lane, "the rows")
REPORT_OBJECT(lanes, LANES_MEMBERS)
REPORT_EITHER(report_lanes, &no_lanes_object, &lanes_object)

/* NULL: the row was never in that state. */
static json_t *values_json(const struct lanes *l, const struct grid_row *row, unsigned state)
{
    json_t *array;

    if (!row->time[state])
        return NULL;
    array = json_array();
    for (unsigned c = 0; c < l->grid.columns; c++)
        json_array_append_new(array, json_count(value_of(l, row, state, c)));
    return array;
}

static json_t *row_json(const struct lanes *l, const struct grid_row *row)
{
    char name[NAME_SIZE];

    run_grid_name(l->epoch, row->key, name);
    return REPORT_MAKE(lane, .name = name, .task = run_grid_is_task(row->key) && row->key < ROW_IDLE,
                       .states = REPORT_MAKE(lane_states, .user = values_json(l, row, MODE_USER),
                                             .supervisor = values_json(l, row, MODE_SUPERVISOR),
                                             .kernel = values_json(l, row, MODE_KERNEL),
                                             .interrupt = values_json(l, row, MODE_INTERRUPT),
                                             .unknown = values_json(l, row, GRID_NO_MODE),
                                             .masked = values_json(l, row, GRID_IRQ_OFF),
                                             .monitor = values_json(l, row, GRID_TICK),
                                             .missing = values_json(l, row, GRID_NOTHING)));
}

json_t *report_lanes_json(const struct report_run *run)
{
    struct lanes l = {.epoch = run->epoch, .hz = (double)run->epoch->hello.clock_hz};
    json_t *rows, *all;

    if (!(l.hz > 0.0) || !fill(&l, run))
        return REPORT_MAKE(no_lanes, .reason = "the run has neither states (account=log, monitor=events) nor "
                                               "raw samples with times");
    rows = json_array();
    run_grid_sort(&l.grid);
    for (size_t r = 0; r < l.grid.rows; r++)
        json_array_append_new(rows, row_json(&l, &l.grid.row[r]));
    all = REPORT_MAKE(lanes, source[l.states], (double)l.grid.from / l.hz, (double)l.grid.to / l.hz, l.grid.columns,
                      rows);
    time_grid_free(&l.grid);
    return all;
}
