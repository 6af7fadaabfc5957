/* SPDX-License-Identifier: MIT */
/* The tables of processes of an epoch, one reading after the other. */
#pragma once

#include "probe/stats/process_collection.h"
#include "tools/model/stream_model.h"

/* Whether all rows of the table arrived. */
static inline bool process_table_is_whole(const struct process_table *t)
{
    return t->rows == t->head.tasks;
}

/* Read a table of the epoch's, which is whole, into the collection.  False where it holds more than the collection can. */
bool process_table_collect(struct process_collection *c, const struct epoch *e, const struct process_table *t);

/* Since the passes were counted first: what is in the last whole table; false: there is none. */
bool process_table_last(struct process_collection *c, const struct epoch *e, const struct process_table **t);
