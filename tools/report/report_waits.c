/* SPDX-License-Identifier: MIT */
/*
 * Sums by column what each task did with its time, from events (tools/trace/waits.h): a first reading tells the begin
 * and the end, a second one the stretches between.
 */
#include "tools/report/report_page.h"

#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/timeline/timeline.h"
#include "tools/trace/time_grid.h"
#include "tools/trace/waits.h"

#define CELLS (16u * 1024) /* in all, so that the page is bounded */
#define LEAST 64u
#define MOST  1024u

struct lists { /* of a run */
    struct waits waits;
    struct time_grid grid; /* by row of the waits */
    double hz;
};

_Static_assert(WAIT_STATES <= GRID_STATES, "a cell has room for each state");

static void take(struct waits *w, struct timeline *t)
{
    struct timeline_item item;

    while (timeline_next(t, &item))
        waits_take(w, &item);
    waits_finish(w);
}

static void add(void *context, size_t row, enum wait_state state, int64_t begin, int64_t end)
{
    time_grid_add(context, row, state, begin, end);
}

static bool fill(struct lists *l, struct timeline *t)
{
    unsigned columns;
    int64_t begin, end;
    bool any;

    waits_begin(&l->waits);
    take(&l->waits, t);
    begin = l->waits.begin;
    end = l->waits.end;
    any = timeline_counts(t)->events && l->waits.tasks && begin < end;
    columns = CELLS / (unsigned)(l->waits.rows + 1);
    waits_free(&l->waits);
    waits_begin(&l->waits);
    if (!any || !timeline_rewind(t))
        return false;
    time_grid_begin(&l->grid, begin, end, columns < LEAST ? LEAST : columns > MOST ? MOST : columns);
    l->waits.on_stretch = add;
    l->waits.context = &l->grid;
    take(&l->waits, t);
    return true;
}

/* ---- JSON ---- */

static const char *const state_name[] = {
    [WAIT_RUN] = "ran", [WAIT_READY] = "ready", [WAIT_SLEEP] = "slept", [WAIT_ABSENT] = "absent",
    [WAIT_UNKNOWN] = "unknown", NULL,
};

#define WAIT_MEMBERS(M, O)                                                          \
    M(COUNT, id, "row id")                                                          \
    M(TEXT, name, "name of the row")                                                \
    M(COUNT, tasks, "tasks of the row at a time")                                   \
    O(WORD, rest, state_name, "the state that has what the others leave of the time of its tasks") \
    M(TEXTS, times, "by state, ran, ready, slept, absent, unknown: for each column with any, columns without any " \
                    "before it, and us; written as the counts of `range`; of `rest` it is empty")
REPORT_OBJECT(wait, WAIT_MEMBERS)

#define WAITS_MEMBERS(M, O)                                                         \
    M(REAL, begin, "begin of the events, s since the image started")                \
    M(REAL, end, "end of them, s")                                                  \
    M(COUNT, columns, "columns of the same length")                                 \
    M(COUNT, left_out, "rows for which there is no room")                           \
    O(LIST, rows, wait, "by row of the table")
REPORT_SHARED(report_waits, WAITS_MEMBERS)

static uint64_t us(const struct lists *l, uint64_t time)
{
    return (uint64_t)(1e6 * (double)time / l->hz + 0.5);
}

/* Sums are rounded, so that those of columns are those of the run. */
static json_t *times_json(const struct lists *l, const struct grid_row *row, unsigned state)
{
    struct digits d = {NULL, 0};
    uint64_t sum = 0;
    uint32_t next = 0;
    json_t *text;

    for (uint32_t c = 0; c < l->grid.columns; c++) {
        const uint64_t before = us(l, sum), now = us(l, sum + row->cell[c].time[state]);

        sum += row->cell[c].time[state];
        if (now == before)
            continue;
        report_digits_put(&d, c - next);
        report_digits_put(&d, now - before);
        next = c + 1;
    }
    text = json_stringn(d.text ? d.text : "", d.length);
    free(d.text);
    return text;
}

static void add_row(const struct lists *l, const struct epoch *e, size_t number, json_t *rows)
{
    const struct wait_row *const of = &l->waits.row[number];
    const struct grid_row *const row = time_grid_row(&l->grid, number);
    json_t *times = json_array();
    char name[NAME_SIZE];
    unsigned rest = 0;

    for (unsigned s = 1; s < WAIT_STATES; s++)
        rest = row->time[s] > row->time[rest] ? s : rest;
    for (unsigned s = 0; s < WAIT_STATES; s++)
        json_array_append_new(times, s == rest ? json_string("") : times_json(l, row, s));
    epoch_name_of(e, of->id, name);
    REPORT_ADD(rows, wait, .id = of->id, .name = name, .tasks = of->tasks, .rest = state_name[rest], .times = times);
}

static json_t *waits_json(struct lists *l, const struct epoch *e)
{
    json_t *rows = json_array();
    uint64_t left_out = 0;

    for (size_t r = 0; r < l->waits.rows; r++)
        if (l->waits.row[r].id != WAIT_OTHERS && time_grid_row(&l->grid, r))
            add_row(l, e, r, rows);
        else
            left_out += l->waits.row[r].tasks > 0;
    return REPORT_MAKE(report_waits, .begin = (double)l->grid.from / l->hz, .end = (double)l->grid.to / l->hz,
                       .columns = l->grid.columns, .left_out = left_out, .rows = rows);
}

json_t *report_waits_json(const struct report_run *run)
{
    const struct timeline_request request = {.epoch = run->epoch->number};
    struct lists l = {.hz = (double)run->epoch->hello.clock_hz};
    struct timeline *t;
    json_t *all;

    if (!run->again || !epoch_has_events(run->epoch) || !(l.hz > 0.0))
        return NULL;
    t = timeline_open(run->again, &request);
    if (!t)
        return NULL;
    all = fill(&l, t) ? waits_json(&l, run->epoch) : NULL;
    waits_free(&l.waits);
    time_grid_free(&l.grid);
    timeline_close(t);
    return all;
}
