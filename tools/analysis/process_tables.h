/* SPDX-License-Identifier: MIT */
/* The tables of processes of an epoch, one reading after the other. */
#pragma once

#include "probe/stats/process_collection.h"
#include "tools/model/stream_model.h"

/*
 * Read the epoch's table number `table`, from 0, into the collection.  False where rows of it are missing, and
 * nothing was read; `room` becomes false where it holds more than the collection can.
 */
bool process_table_collect(struct process_collection *c, const struct epoch *e, size_t table, bool *room);

/* Since the passes were counted first: what is in the last whole table; NULL: there is none, or too large a one. */
const struct wire_proctable *process_table_last(struct process_collection *c, const struct epoch *e);
