/* SPDX-License-Identifier: MIT */
/* Makes the rows of a live view from two snapshots. */
#include "tools/live/live_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/printable.h"

static bool is_shown(const struct snapshot_row *row, const char *name, const struct live_choice *c)
{
    return (row_has_modes(row->id) || row->total) && strcasestr(name, c->filter);
}

static struct table_row figures(const struct snapshot *s, const struct snapshot_row *row,
                                const struct table_options *o)
{
    struct table_row t = table_row(s, row, o);

    t.row = NULL; /* the snapshot that it points into changes */
    return t;
}

static void add(struct live_table *t, const struct live_run *r, const struct snapshot_row *sorted)
{
    const struct snapshot_row *whole = snapshot_find_row(r->whole, sorted->id),
                              *last = snapshot_find_row(r->last, sorted->id);
    struct live_row *to = &t->row[t->rows++];

    *to = (struct live_row){.id = sorted->id};
    snprintf(to->name, sizeof(to->name), "%s", snapshot_row_name(sorted));
    printable(to->name);
    to->whole = figures(r->whole, whole, &r->options);
    if (t->has_last && last)
        to->last = figures(r->last, last, &r->options);
}

void live_table_make(struct live_table *t, const struct live_run *r, const struct live_choice *c)
{
    const struct snapshot *from = c->by_whole || !r->has_last ? r->whole : r->last;
    struct snapshot *sorted;

    t->rows = t->hidden = 0;
    t->has_last = r->has_last;
    if (!r->has_whole)
        return;
    sorted = xrealloc_array(NULL, 1, sizeof(*sorted));
    memcpy(sorted, from, offsetof(struct snapshot, region));
    table_sort_by(sorted, c->order, &r->options);
    for (uint32_t i = 0; i < sorted->rows; i++) {
        const struct snapshot_row *whole = snapshot_find_row(r->whole, sorted->row[i].id);

        if (whole && is_shown(whole, snapshot_row_name(whole), c))
            add(t, r, whole);
        else
            t->hidden += whole && row_has_modes(whole->id);
    }
    free(sorted);
}

unsigned live_table_find(const struct live_table *t, uint32_t id)
{
    unsigned i = 0;

    while (i < t->rows && t->row[i].id != id)
        i++;
    return i;
}

static double largest(const struct table_cell *cell)
{
    return cell->high > cell->percent ? cell->high : cell->percent;
}

double live_table_scale(const struct live_table *t)
{
    static const double ends[] = {1.0, 2.0, 5.0, 10.0, 20.0, 50.0};
    double most = 0.0;

    for (unsigned i = 0; i < t->rows; i++) {
        const struct live_row *row = &t->row[i];
        const double high = largest(t->has_last ? &row->last.total : &row->whole.total);

        most = row->id < ROW_IDLE && high > most ? high : most;
    }
    for (unsigned i = 0; i < sizeof(ends) / sizeof(*ends); i++)
        if (most <= ends[i])
            return ends[i];
    return 100.0;
}
