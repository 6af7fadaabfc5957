/* SPDX-License-Identifier: MIT */
/* Members are named as the fields of their records. */
#include "tools/json/record_json.h"

#include "tools/base/json_value.h"

json_t *stack_walks_json(const struct wire_stack_walks *w)
{
    if (!w->serial)
        return json_null();
    return json_pack("{so so so so so so}", "callers", json_count(w->callers), "whole", json_count(w->whole), "cut", json_count(w->cut),
                     "broken", json_count(w->broken), "absent", json_count(w->absent), "lost", json_count(w->lost));
}

json_t *event_classes_json(const struct epoch_events *e)
{
    json_t *classes = json_object();

    for (unsigned class = 0; class < TRACE_CLASSES_END; class++)
        if (e->count[class])
            json_object_set_new(classes, trace_class_name(class), json_count(e->count[class]));
    return classes;
}
