/* SPDX-License-Identifier: MIT */
/* Records that the JSON of several reports has. */
#pragma once

#include <jansson.h>

#include "tools/model/stream_model.h"

/* How samples found their callers: docs/schema/stat.schema.json, "stacks"; null: no record arrived (stack=).  Host. */
json_t *stack_walks_json(const struct wire_stack_walks *w);

/* Events by class, of those that arrived: "classes" of "events" in the same schema.  Host. */
json_t *event_classes_json(const struct epoch_events *e);
