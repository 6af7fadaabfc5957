/* SPDX-License-Identifier: MIT */
/*
 * Makes the rows of a live view: each task's shares of the last interval and since the start, sorted and
 * filtered; prints them where there is no screen.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/table.h"
#include "probe/stats/table_sort.h"
#include "tools/live/live_link.h"
#include "tools/live/live_run.h"

#define LIVE_FILTER 32 /* bytes of a filter, its end included */

struct live_choice {
    enum table_order order;
    bool by_whole;            /* sorted by shares since the start, not by those of the last interval */
    char filter[LIVE_FILTER]; /* part of a name, in upper or lower case; "" all */
};

struct live_row {
    uint32_t id;
    char name[NAME_SIZE];     /* printable */
    struct table_row last, whole; /* `row` of both is NULL */
};

struct live_table {
    unsigned rows, hidden;    /* shown; left out by the filter */
    bool has_last;            /* the columns of the last interval are known */
    struct live_row row[SNAPSHOT_ROWS];
};

/* Make the rows of the last snapshot.  Rows that are no tasks come last, and only where they have samples. */
void live_table_make(struct live_table *t, const struct live_run *r, const struct live_choice *c);

/* The place of the row of this id; `rows` where there is none. */
unsigned live_table_find(const struct live_table *t, uint32_t id);

/* The largest share of the rows' bars, percent: 1, 2, 5, 10, 20, 50 or 100, that no limit of a task is above. */
double live_table_scale(const struct live_table *t);

/* A live view without a screen: sorted tables as plain lines, for a pipe or a file. */
struct live_tables {
    struct live_link *link;     /* the caller's */
    struct live_choice choice;
    unsigned long rows, number; /* rows of a table, tables in all; 0: all */
};

/*
 * Print a table on standard output for each snapshot, at most one a second, until `number` were printed, the
 * line or the run ends, a file has been read, or a signal comes.  Returns an enum exit_code.
 */
int live_tables_print(const struct live_tables *t);
