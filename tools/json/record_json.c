/* SPDX-License-Identifier: MIT */
/* Makes JSON of records, whose members are named as their fields. */
#include "tools/json/record_json.h"

#include "tools/base/json_value.h"

#define STACK_WALKS_MEMBERS(M, O)                                                   \
    M(COUNT, callers, "most callers that are looked for, stack=")                   \
    M(COUNT, whole, "samples in user mode whose callers were found up to the outermost") \
    M(COUNT, cut, "samples with more callers than were looked for")                 \
    M(COUNT, broken, "samples where a frame pointer or a return address led nowhere") \
    M(COUNT, absent, "samples where a frame was in a page that is not there")       \
    M(COUNT, lost, "of these four: samples of stacks that found no record")
REPORT_SHARED(stack_walks, STACK_WALKS_MEMBERS)

#define MISSED_MEMBERS(M, O)                                                        \
    M(REAL, masked, "while interrupts were off, computed from how late the others are; of stat 0 where ticks " \
                    "have points: late ones were counted") \
    M(COUNT_OR_NULL, overrun, "while the handler ran")                              \
    M(COUNT_OR_NULL, source, "lost by the source")
REPORT_SHARED(missed, MISSED_MEMBERS)

#define LOST_MEMBERS(M, O)                                                          \
    M(COUNT_OR_NULL, table, "samples without room in the table")                    \
    M(COUNT_OR_NULL, ring, "samples without room in the ring")
REPORT_SHARED(lost, LOST_MEMBERS)

json_t *stack_walks_json(const struct wire_stack_walks *w)
{
    if (!w->serial)
        return NULL;
    return REPORT_MAKE(stack_walks, w->callers, w->whole, w->cut, w->broken, w->absent, w->lost);
}

json_t *missed_json(const struct snapshot *s, double masked)
{
    return REPORT_MAKE(missed, masked, REPORT_KNOWN_IF(s, s->missed_overrun), REPORT_KNOWN_IF(s, s->missed_source));
}

json_t *lost_json(const struct snapshot *s)
{
    return REPORT_MAKE(lost, REPORT_KNOWN_IF(s, s->lost_table), REPORT_KNOWN_IF(s, s->lost_ring));
}

json_t *event_classes_json(const struct epoch *e)
{
    json_t *classes = json_object();

    for (unsigned class = 0; class < TRACE_CLASSES_END; class++) {
        const struct wire_event_counts_row *const row = record_row_of(epoch_kept(e, WIRE_EVENT_COUNTS), class);

        if (row && row->count)
            json_object_set_new(classes, trace_class_name(class), json_count(row->count));
    }
    return classes;
}
