/* SPDX-License-Identifier: MIT */
/* Declares tables of processes as JSON. */
#pragma once

#include <jansson.h>

#include "tools/base/report_object.h"
#include "tools/model/stream_model.h"

extern const struct report_object process_table_object;

/* The last one of an epoch; NULL: there is none. */
json_t *process_table_json_last(const struct epoch *e);

/* A table of processes, and the differences to the table before that were collected with it. */
struct process_collection;
json_t *process_table_json(const struct process_collection *c, const struct wire_proctable *head);
