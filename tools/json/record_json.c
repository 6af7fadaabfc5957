/* SPDX-License-Identifier: MIT */
/* Makes JSON of records, whose members are named as their fields, and of the counters of the frame decoder. */
#include "tools/json/report_json.h"

#include "tools/model/stream_model.h"

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
    if (!w)
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

#define MISSING_OF_MEMBERS(M, O)                                                    \
    M(COUNT, texts, "missing TEXT records")                                         \
    M(COUNT, faults, "missing FAULT records")                                       \
    M(COUNT, reports, "missing REPORT records")                                     \
    M(COUNT, outputs, "missing OUTPUT records")
REPORT_OBJECT(missing_of, MISSING_OF_MEMBERS)

#define DAMAGED_MEMBERS(M, O)                                                       \
    M(COUNT, short_, "stretches too short for a frame")                             \
    M(COUNT, stuffing, "stretches whose byte stuffing is wrong")                    \
    M(COUNT, checksum, "stretches whose checksum is wrong")                         \
    M(COUNT, fields, "frames whose fields cannot be read")                          \
    M(COUNT, long_, "stretches longer than a frame")
REPORT_OBJECT(damaged, DAMAGED_MEMBERS)

#define STREAM_COUNTS_MEMBERS(M, O)                                                 \
    M(COUNT, bytes, "bytes of the stream")                                          \
    M(COUNT, frames, "intact frames of known types")                                \
    O(OBJECT, damaged, damaged, "damaged stretches, by cause")                      \
    M(COUNT, damaged_bytes, "bytes of the damaged stretches")                       \
    M(COUNT, preamble_bytes, "bytes before the first HELLO")                        \
    M(COUNT, unknown, "intact frames of unknown types")                             \
    M(COUNT, gaps, "jumps of the sequence")                                         \
    M(COUNT, missing, "frames that the jumps skip")                                 \
    M(COUNT, unsure, "places where more are missing than the sequence tells, by an unknown multiple of 65536") \
    O(OBJECT, missing_of, missing_of, "of the missing frames those whose records have numbers of their own")
REPORT_SHARED(stream_counts, STREAM_COUNTS_MEMBERS)

json_t *stream_json(const struct stream_stats *stats)
{
    const uint64_t *const d = stats->damaged;

#define MISSING_OF(NAME, name, count) .count = stats->lost.count,
    return REPORT_MAKE(
        stream_counts, .bytes = stats->bytes, .frames = stats->frames,
        .damaged = REPORT_MAKE(damaged, .short_ = d[DAMAGE_SHORT], .stuffing = d[DAMAGE_STUFFING],
                               .checksum = d[DAMAGE_CHECKSUM], .fields = d[DAMAGE_FIELDS], .long_ = d[DAMAGE_LONG]),
        .damaged_bytes = stats->damaged_bytes, .preamble_bytes = stats->preamble, .unknown = stats->unknown,
        .gaps = stats->gaps, .missing = stats->missing, .unsure = stats->unsure,
        .missing_of = REPORT_MAKE(missing_of, WIRE_NUMBERED(MISSING_OF)));
#undef MISSING_OF
}
