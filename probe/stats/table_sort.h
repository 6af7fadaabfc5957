/* SPDX-License-Identifier: MIT */
/*
 * The orders in which a table shows its rows, for the serial line, the shell and the host.  Rows
 * that are not tasks come last in each of them.  Task and host context: floating point.
 */
#pragma once

#include <stdbool.h>

#include "probe/stats/snapshot.h"
#include "probe/stats/table.h"
#include "probe/text/text_span.h"

enum table_order {
    TABLE_BY_NAME,   /* A to Z */
    TABLE_BY_TOTAL,  /* most samples first, as in the next two */
    TABLE_BY_USER,
    TABLE_BY_KERNEL,
    TABLE_BY_ERROR,  /* largest distance of the sampled share from the exact one first */
    TABLE_ORDERS
};

#define TABLE_ORDERS_ALLOWED "name total user kernel error"
#define TABLE_ORDER_CHOICES  "name|total|user|kernel|error" /* in the order of the enum, as options have it */

/* "name" and so on. */
const char *table_order_name(enum table_order order);

/* The order of this name; false: there is none, and *to is unchanged. */
bool table_order_named(enum table_order *to, struct span name);

/*
 * Sort the rows of `s`; rows that are equal in this order are sorted by name.  `o` is read by
 * TABLE_BY_ERROR alone, and may be NULL for the others; a row whose error is not known comes after
 * those whose error is.
 */
void table_sort_by(struct snapshot *s, enum table_order order, const struct table_options *o);

/* Sort them by name. */
void table_sort(struct snapshot *s);

/*
 * What happened between two snapshots of one window, as a snapshot: its shares and intervals are
 * those of the time in between, by the same estimator.  Counters are cumulative, so that snapshots
 * that did not arrive make the time longer and lose nothing.  Task and host context.
 */

/*
 * *to = later - before, from the last expiry of `before` on; rows are in the order of `later` and
 * have its names.  The runs and pairs of samples that intervals are made of are counted where they
 * end, so that at most one of each cell began before.  False where a counter went down or the time
 * in between is empty: then the two are not of one window, and *to is void.  `to` needs room for all
 * rows and regions; `later` and `before` need no more than snapshot_bytes().
 */
bool snapshot_difference(struct snapshot *to, const struct snapshot *later, const struct snapshot *before);
