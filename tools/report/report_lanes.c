/* SPDX-License-Identifier: MIT */
/*
 * A page cannot hold every sample of an hour: columns are counted here, and more of them the fewer rows there are.  A
 * column of states tells thousandths of its time, one of samples their number.
 */
#include "tools/report/report_lanes.h"

#include <string.h>

#include "tools/analysis/profile_samples.h"
#include "tools/base/json_value.h"
#include "tools/timeline/epoch_pass.h"
#include "tools/trace/run_grid.h"

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

/* ---- filling ---- */

static bool states_limits(struct timeline *t, int64_t *begin, int64_t *end)
{
    struct timeline_item item;

    *begin = INT64_MAX;
    *end = INT64_MIN;
    while (timeline_next(t, &item)) {
        *begin = timeline_item_begin(&item) < *begin ? timeline_item_begin(&item) : *begin;
        *end = timeline_item_end(&item) > *end ? timeline_item_end(&item) : *end;
    }
    return *begin < *end && timeline_rewind(t);
}

static bool fill_from_states(struct lanes *l, const struct report_run *run)
{
    const struct timeline_request request = {.epoch = (unsigned long)(run->epoch - run->model->epoch) + 1};
    struct timeline *t = timeline_open(run->again, &request);
    struct timeline_item item;
    int64_t begin, end;
    bool any = t && states_limits(t, &begin, &end);

    if (any) {
        time_grid_begin(&l->grid, begin, end, columns_for(run->epoch));
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
    p = epoch_pass_open(run->again, (unsigned long)(run->epoch - run->model->epoch) + 1);
    if (!p)
        return false;
    time_grid_begin(&l->grid, (int64_t)begin, (int64_t)end, columns_for(l->epoch));
    epoch_pass_run(p, &(struct epoch_sink){.context = l, .on_sample = add_sample});
    epoch_pass_close(p);
    return true;
}

static bool has_states(const struct report_run *run)
{
    return run->again && (run->epoch->transitions || run->epoch->events);
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
    const uint64_t length = (uint64_t)time_grid_column(&l->grid, column + 1) - (uint64_t)time_grid_column(&l->grid, column);

    if (!l->states || !length)
        return time;
    return (uint64_t)(((unsigned __int128)time * 1000 + length / 2) / length);
}

static json_t *values_json(const struct lanes *l, const struct grid_row *row, unsigned state)
{
    json_t *array = json_array();

    for (unsigned c = 0; c < l->grid.columns; c++)
        json_array_append_new(array, json_count(value_of(l, row, state, c)));
    return array;
}

static const char *state_name(unsigned state)
{
    static const char *const other[] = {
        [GRID_NO_MODE] = "unknown", [GRID_IRQ_OFF] = "masked", [GRID_TICK] = "monitor", [GRID_NOTHING] = "missing",
    };

    return state < MODES ? mode_name(state) : other[state];
}

static json_t *row_json(const struct lanes *l, const struct grid_row *row)
{
    json_t *states = json_object();
    char name[NAME_SIZE];

    run_grid_name(l->epoch, row->key, name);
    for (unsigned s = 0; s < GRID_IN_CLASS; s++)
        if (row->time[s])
            json_object_set_new(states, state_name(s), values_json(l, row, s));
    return json_pack("{s:o, s:b, s:o}", "name", json_text_or_null(name), "task", run_grid_is_task(row->key) && row->key < ROW_IDLE,
                     "states", states);
}

json_t *report_lanes_json(const struct report_run *run)
{
    struct lanes l = {.epoch = run->epoch, .hz = (double)run->epoch->hello.clock_hz};
    json_t *rows, *all;

    if (!(l.hz > 0.0) || !fill(&l, run))
        return json_pack("{s:n, s:s}", "source", "reason", "the run has neither states (account=log, monitor=events) nor raw samples with times");
    rows = json_array();
    run_grid_sort(&l.grid);
    for (size_t r = 0; r < l.grid.rows; r++)
        json_array_append_new(rows, row_json(&l, &l.grid.row[r]));
    all = json_pack("{s:s, s:f, s:f, s:i, s:o}", "source", l.states ? "states" : "samples", "begin", (double)l.grid.from / l.hz,
                    "end", (double)l.grid.to / l.hz, "columns", (int)l.grid.columns, "rows", rows);
    time_grid_free(&l.grid);
    return all;
}
