/* SPDX-License-Identifier: MIT */
/* Declares records that the JSON of several reports has. */
#pragma once

#include <jansson.h>

#include "tools/base/report_object.h"
#include "tools/model/stream_model.h"

extern const struct report_object stack_walks_object, missed_object, lost_object;

/* How samples found their callers; NULL: no record arrived (stack=).  Host. */
json_t *stack_walks_json(const struct wire_stack_walks *w);

/* Ticks that did not happen, samples that were not recorded; each member null where there is no snapshot.  Host. */
json_t *missed_json(const struct snapshot *s, double masked);
json_t *lost_json(const struct snapshot *s);

/* Events by class, of those that arrived.  Host. */
json_t *event_classes_json(const struct epoch *e);
