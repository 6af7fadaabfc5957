/* SPDX-License-Identifier: MIT */
/* Prints the tables of a live view. */
#include "tools/live/live_tables.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/base/cli.h"
#include "tools/base/interrupt.h"
#include "tools/live/live_text.h"
#include "tools/stream/stream_loss.h"

#define COLUMNS 100 /* of a line */
#define WAIT_MS 100
#define PERIOD  1.0 /* seconds between two tables */
#define LINGER  2.0 /* seconds after the end of a run: a change of its configuration begins another */

static void print_table(const struct live_tables *t, struct live_table *table)
{
    const struct live_columns c = live_columns_of(COLUMNS);
    char line[LIVE_LINE];
    double scale;

    live_table_make(table, t->link->run, &t->choice);
    scale = live_table_scale(table);
    for (unsigned i = 0; i < LIVE_HEADS; i++) {
        live_text_head(line, (enum live_head)i, t->link);
        puts(line);
    }
    live_text_columns(line, &c, table, scale);
    puts(line);
    for (unsigned i = 0; i < table->rows && (!t->rows || i < t->rows); i++) {
        live_text_row(line, &c, table, &table->row[i], scale);
        puts(line);
    }
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
