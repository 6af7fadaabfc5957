/* SPDX-License-Identifier: MIT */
/* Reads the tables of processes of an epoch, one after the other, and makes JSON of them. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "probe/stats/process_collection.h"
#include "tools/base/report_object.h"
#include "tools/model/stream_model.h"

/*
 * Read the epoch's table number `table`, from 0, into the collection.  False where rows of it are missing, and
 * nothing was read; `room` becomes false where it holds more than the collection can.
 */
bool process_table_collect(struct process_collection *c, const struct epoch *e, size_t table, bool *room);

extern const struct report_object process_table_object;

/* The last one of an epoch; NULL: there is none. */
json_t *process_table_json_last(const struct epoch *e);

/* A table of processes, and the differences to the table before that were collected with it. */
struct process_collection;
json_t *process_table_json(const struct process_collection *c, const struct wire_proctable *head);
