/* SPDX-License-Identifier: MIT */
/* A live view without a screen: sorted tables as plain lines, for a pipe or a file. */
#pragma once

#include "tools/live/live_link.h"
#include "tools/live/live_table.h"

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
