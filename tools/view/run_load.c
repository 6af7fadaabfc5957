/* SPDX-License-Identifier: MIT */
/*
 * Makes the load over time from counters that are cumulative, of tasks, of ranges and of snapshots: what did not
 * arrive makes a longer stretch of the grid, and loses nothing.
 */
#include "tools/view/run_load.h"

#include <stdlib.h>

#include "probe/stats/snapshot.h"
#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"

/* What was told of a task last, and when. */
struct told {
    uint64_t time[MODES];
    uint64_t at;
};

struct acct_load {
    struct time_grid *grid;
    struct index told_of; /* by number of the task */
    struct told *told;
    size_t tolds;
    uint64_t before, now; /* moments */
    bool by_task;         /* else all tasks are one row */
};

/* Of the log; 0: there is none. */
static uint64_t last_moment(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_ACCT);

    return s->row.count ? record_time_of(s, s->row.count - 1) : 0;
}

bool acct_load_limits(const struct epoch *e, int64_t *begin, int64_t *end)
{
    const uint64_t last = last_moment(e);

    if (!last || !e->head_count || last > INT64_MAX || e->first_head.begin > INT64_MAX)
        return false;
    *begin = (int64_t)e->first_head.begin;
    *end = (int64_t)last;
    return *begin < *end;
}

/* A task that is new began after the moment before. */
static struct told *told_of(struct acct_load *l, uint64_t task)
{
    return INDEX_ROW(&l->told_of, task, l->told, l->tolds, &(struct told){.at = l->before});
}

static void spread(struct time_grid *g, uint64_t key, unsigned state, uint64_t begin, uint64_t end, uint64_t time)
{
    if (begin < end)
        time_grid_spread(g, key, state, (int64_t)begin, (int64_t)end, time);
}

static void add_row(struct acct_load *l, const struct wire_acct_row *r)
{
    const uint64_t time[MODES] = {
        [MODE_USER] = r->user, [MODE_SUPERVISOR] = r->supervisor, [MODE_KERNEL] = r->kernel,
        [MODE_INTERRUPT] = r->interrupt,
    };
    struct told *const told = told_of(l, r->task);
    const uint64_t key = l->by_task || r->id == ROW_IDLE ? r->id : GRID_OTHERS;

    for (unsigned m = 0; m < MODES; m++)
        if (time[m] > told->time[m]) { /* a smaller counter, which no image sends, counts as nothing */
            spread(l->grid, key, m, told->at, l->now, time[m] - told->time[m]);
            told->time[m] = time[m];
        }
    told->at = l->now;
}

static void add_tasks(struct time_grid *g, const struct epoch *e, bool by_task)
{
    const struct record_store *const s = epoch_kept(e, WIRE_ACCT);
    struct acct_load l = {.grid = g, .by_task = by_task, .before = e->first_head.begin, .now = e->first_head.begin};

    for (size_t i = 0; i < s->row.count; i++) {
        if (record_time_of(s, i) != l.now)
            l.before = l.now;
        l.now = record_time_of(s, i);
        add_row(&l, record_row(s, i));
    }
    index_free(&l.told_of);
    free(l.told);
}

void acct_load_fill(struct time_grid *g, const struct epoch *e)
{
    add_tasks(g, e, true);
}

/* A range as it was read last, and when. */
struct ranged {
    uint64_t time, at;
};

/* Ranges are read after the log's moment: what is behind the last one is left out. */
static void spread_until(struct time_grid *g, uint64_t event, const struct ranged *from, const struct ranged *to,
                         uint64_t limit)
{
    const uint64_t time = to->time - from->time, end = to->at < limit ? to->at : limit;

    if (from->at < end)
        spread(g, event, GRID_NO_MODE, from->at, end,
               (uint64_t)((unsigned __int128)time * (end - from->at) / (to->at - from->at)));
}

void acct_load_fill_ranges(struct time_grid *g, const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_RANGES);
    const struct wire_ranges_row *const row = record_row(s, 0);
    struct ranged last[WIRE_RANGE_MAX + 1];

    add_tasks(g, e, false);
    for (unsigned i = 0; i <= WIRE_RANGE_MAX; i++)
        last[i] = (struct ranged){.at = e->first_head.begin};
    for (size_t i = 0; i < s->row.count; i++) {
        const struct ranged now = {row[i].time, record_time_of(s, i)};

        spread_until(g, row[i].event, &last[row[i].event], &now, last_moment(e));
        last[row[i].event] = now;
    }
}

struct differences {
    struct time_grid *grid;
    struct model model;
    uint64_t snapshots;   /* that the model had whole */
    struct index row_of;  /* rows of `last` by id */
    struct last {
        uint64_t time[MODES], hits;
    } *last;
    size_t lasts;
    uint64_t end, monitor, samples; /* of the last snapshot */
};

bool snapshot_load_limits(const struct epoch *e, int64_t *begin, int64_t *end)
{
    if (!e->head_count || e->first_head.begin > INT64_MAX || e->last_head.end > INT64_MAX)
        return false;
    *begin = (int64_t)e->first_head.begin;
    *end = (int64_t)e->last_head.end;
    return *begin < *end;
}

static struct last *last_of(struct differences *d, uint32_t id)
{
    return INDEX_ROW(&d->row_of, id, d->last, d->lasts, NULL);
}

static void add_exact(struct differences *d, const struct snapshot_row *row, struct last *last,
                      const struct snapshot *s)
{
    for (unsigned m = 0; m < MODES; m++) {
        const uint64_t now = row->time[m] + row->masked[m];

        time_grid_spread(d->grid, row->id, m, (int64_t)d->end, (int64_t)s->end, now - last->time[m]);
        last->time[m] = now;
    }
}

static void add_sampled(struct differences *d, const struct snapshot_row *row, struct last *last,
                        const struct snapshot *s)
{
    uint64_t hits = 0;
    const uint64_t samples = s->samples - d->samples, span = s->end - d->end;

    for (unsigned m = 0; m < MODES; m++)
        hits += row->hits[m];
    if (samples)
        time_grid_spread(d->grid, row->id, GRID_NO_MODE, (int64_t)d->end, (int64_t)s->end,
                         (uint64_t)((unsigned __int128)(hits - last->hits) * span / samples));
    last->hits = hits;
}

static void add_difference(struct differences *d, const struct snapshot *s)
{
    if (s->end <= d->end || s->samples < d->samples || s->monitor < d->monitor)
        return; /* counters that go down have been reported */
    for (uint32_t r = 0; r < s->rows; r++) {
        const struct snapshot_row *row = &s->row[r];

        if (!row_has_modes(row->id))
            continue;
        if (s->exact)
            add_exact(d, row, last_of(d, row->id), s);
        else
            add_sampled(d, row, last_of(d, row->id), s);
    }
    time_grid_spread(d->grid, GRID_MONITOR, GRID_TICK, (int64_t)d->end, (int64_t)s->end, s->monitor - d->monitor);
    d->end = s->end;
    d->samples = s->samples;
    d->monitor = s->monitor;
}

static void take(void *context, const struct stream_event *event)
{
    struct differences *d = context;
    const struct epoch *e;

    model_add_event(&d->model, event);
    e = d->model.epochs ? d->model.epoch[0] : NULL;
    if (!e || e->snapshots == d->snapshots)
        return;
    d->snapshots = e->snapshots;
    if (!d->end)
        d->end = e->snapshot->begin;
    add_difference(d, e->snapshot);
}

void snapshot_load_fill(struct time_grid *g, struct timeline *t)
{
    struct differences *d = xcalloc(1, sizeof(*d));

    d->grid = g;
    d->model.skips_samples = d->model.skips_changes = true;
    timeline_records(t, take, d);
    model_free(&d->model);
    index_free(&d->row_of);
    free(d->last);
    free(d);
}
