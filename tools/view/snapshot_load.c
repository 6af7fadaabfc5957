/* SPDX-License-Identifier: MIT */
/* Counters of snapshots are cumulative: a snapshot that did not arrive makes a longer stretch, and loses nothing. */
#include "tools/view/snapshot_load.h"

#include <stdlib.h>
#include <string.h>

#include "probe/stats/snapshot.h"
#include "tools/base/alloc.h"
#include "tools/trace/run_grid.h"

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
    size_t at = index_find(&d->row_of, id);

    if (at == INDEX_NONE) {
        GROW(d->last, d->lasts);
        at = d->lasts++;
        index_put(&d->row_of, id, at);
        d->last[at] = (struct last){.hits = 0};
    }
    return &d->last[at];
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
    e = d->model.epochs ? &d->model.epoch[0] : NULL;
    if (!e || e->snapshots == d->snapshots)
        return;
    d->snapshots = e->snapshots;
    if (!d->end)
        d->end = e->snapshot->begin;
    add_difference(d, e->snapshot);
}

void snapshot_load_fill(struct time_grid *g, struct timeline *t)
{
    struct differences *d = xrealloc_array(NULL, 1, sizeof(*d));

    memset(d, 0, sizeof(*d));
    d->grid = g;
    model_init(&d->model);
    d->model.skips_samples = d->model.skips_changes = true;
    timeline_records(t, take, d);
    model_free(&d->model);
    index_free(&d->row_of);
    free(d->last);
    free(d);
}
