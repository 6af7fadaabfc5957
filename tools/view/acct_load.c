/* SPDX-License-Identifier: MIT */
/* Counters of tasks and of ranges become stretches of a grid. */
#include "tools/view/acct_load.h"

#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"
#include "tools/trace/run_grid.h"

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

bool acct_load_limits(const struct epoch *e, int64_t *begin, int64_t *end)
{
    const struct software_records *s = &e->software;

    if (!s->acct_count || !e->head_count || s->acct[s->acct_count - 1].time > INT64_MAX || e->first_head.begin > INT64_MAX)
        return false;
    *begin = (int64_t)e->first_head.begin;
    *end = (int64_t)s->acct[s->acct_count - 1].time;
    return *begin < *end;
}

/* A task that is new began after the moment before. */
static struct told *told_of(struct acct_load *l, uint64_t task)
{
    size_t at = index_find(&l->told_of, task);

    if (at == INDEX_NONE) {
        GROW(l->told, l->tolds);
        at = l->tolds++;
        index_put(&l->told_of, task, at);
        l->told[at] = (struct told){.at = l->before};
    }
    return &l->told[at];
}

static void spread(struct time_grid *g, uint64_t key, unsigned state, uint64_t begin, uint64_t end, uint64_t time)
{
    if (begin < end)
        time_grid_spread(g, key, state, (int64_t)begin, (int64_t)end, time);
}

static void add_entry(struct acct_load *l, const struct acct_entry *e)
{
    const uint64_t time[MODES] = {
        [MODE_USER] = e->row.user, [MODE_SUPERVISOR] = e->row.supervisor,
        [MODE_KERNEL] = e->row.kernel, [MODE_INTERRUPT] = e->row.interrupt,
    };
    struct told *const told = told_of(l, e->row.task);
    const uint64_t key = l->by_task || e->row.id == ROW_IDLE ? e->row.id : GRID_OTHERS;

    for (unsigned m = 0; m < MODES; m++)
        if (time[m] > told->time[m]) { /* a smaller counter, which no image sends, counts as nothing */
            spread(l->grid, key, m, told->at, e->time, time[m] - told->time[m]);
            told->time[m] = time[m];
        }
    told->at = e->time;
}

static void add_tasks(struct time_grid *g, const struct epoch *e, bool by_task)
{
    const struct software_records *s = &e->software;
    struct acct_load l = {.grid = g, .by_task = by_task, .before = e->first_head.begin, .now = e->first_head.begin};

    for (size_t i = 0; i < s->acct_count; i++) {
        if (s->acct[i].time != l.now)
            l.before = l.now;
        l.now = s->acct[i].time;
        add_entry(&l, &s->acct[i]);
    }
    index_free(&l.told_of);
    free(l.told);
}

void acct_load_fill(struct time_grid *g, const struct epoch *e)
{
    add_tasks(g, e, true);
}

/* Ranges are read after the log's moment: what is behind the last one is left out. */
static void spread_until(struct time_grid *g, const struct range_entry *from, const struct range_entry *to, uint64_t limit)
{
    const uint64_t time = to->row.time - from->row.time, end = to->time < limit ? to->time : limit;

    if (from->time < end)
        spread(g, to->row.event, GRID_NO_MODE, from->time, end,
               (uint64_t)((unsigned __int128)time * (end - from->time) / (to->time - from->time)));
}

void acct_load_fill_ranges(struct time_grid *g, const struct epoch *e)
{
    const struct software_records *s = &e->software;
    struct range_entry last[WIRE_RANGE_MAX + 1];

    add_tasks(g, e, false);
    for (unsigned i = 0; i <= WIRE_RANGE_MAX; i++)
        last[i] = (struct range_entry){.time = e->first_head.begin};
    for (size_t i = 0; i < s->range_count; i++) {
        struct range_entry *const before = &last[s->range[i].row.event];

        spread_until(g, before, &s->range[i], s->acct[s->acct_count - 1].time);
        *before = s->range[i];
    }
}
