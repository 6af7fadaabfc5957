/* SPDX-License-Identifier: MIT */
/*
 * The orders in which a table shows its rows, for the serial line, the shell and the host.  Rows
 * that are not tasks come last in each of them.  Task and host context: floating point.
 */
#pragma once

#include <stdbool.h>

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
