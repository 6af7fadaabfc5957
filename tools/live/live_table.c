/* SPDX-License-Identifier: MIT */
/* Makes the rows of a live view from two snapshots, and prints its tables where there is no screen. */
#include "tools/live/live_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/interrupt.h"
#include "tools/base/printable.h"
#include "tools/live/live_text.h"
#include "tools/stream/stream_reader.h"

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

#define COLUMNS 100 /* of a line */
#define WAIT_MS 100
#define PERIOD  1.0 /* seconds between two tables */
#define LINGER  2.0 /* seconds after the end of a run: a change of its configuration begins another */

static void print_table(const struct live_tables *t, struct live_table *table)
{
    const struct live_columns c = live_columns_of(COLUMNS);
    char line[LIVE_LINE];
    unsigned shown;
    double scale;

    live_table_make(table, t->link->run, &t->choice);
    shown = t->rows && t->rows < table->rows ? (unsigned)t->rows : table->rows;
    scale = live_table_scale(table);
    for (unsigned i = 0; i < LIVE_HEADS; i++) {
        live_text_head(line, (enum live_head)i, t->link);
        puts(line);
    }
    live_text_columns(line, &c, table, scale);
    puts(line);
    for (unsigned i = 0; i < shown; i++) {
        live_text_row(line, &c, table, &table->row[i], scale);
        puts(line);
    }
    live_text_rest(line, t->link->run, table, 0, shown);
    puts(line);
    puts("");
    fflush(stdout);
}

static bool is_over(const struct live_link *l)
{
    const bool ended = l->run->ended && monotonic_seconds() - l->heard >= LINGER;

    return interrupted || l->gone || ferror(stdout) ||
           (l->is_file ? l->at_end && (!l->follows || l->run->ended) : ended);
}

static int verdict(const struct live_link *l)
{
    stream_unknown_print(l->client.port, live_link_stats(l));
    if (!l->run->has_whole) {
        cli_error("%s: no snapshot came", l->client.port);
        return EXIT_NO_DATA;
    }
    return stream_loss_print(l->client.port, live_link_stats(l)) || (!l->run->ended && !interrupted) ||
           !(l->run->ended_well || !l->run->ended) ? EXIT_DAMAGED : EXIT_OK;
}

/* Whether a new snapshot is to be shown now: of a file that is only read to its end, the last alone. */
static bool is_due(const struct live_link *l, double printed)
{
    return (!l->is_file || l->follows) && monotonic_seconds() - printed >= PERIOD;
}

int live_tables_print(const struct live_tables *t)
{
    struct live_table *table = xrealloc_array(NULL, 1, sizeof(*table));
    unsigned long tables = 0;
    double printed = monotonic_seconds() - PERIOD;
    bool fresh = false;

    while (!is_over(t->link) && (!t->number || tables < t->number)) {
        fresh = live_link_serve(t->link, WAIT_MS) || fresh;
        if (!fresh || !is_due(t->link, printed))
            continue;
        print_table(t, table);
        printed = monotonic_seconds();
        tables++;
        fresh = false;
    }
    if (fresh && (!t->number || tables < t->number))
        print_table(t, table);
    free(table);
    return t->number && tables == t->number ? EXIT_OK : verdict(t->link);
}
