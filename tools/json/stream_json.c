/* SPDX-License-Identifier: MIT */
/* Makes JSON of the counters of the frame decoder. */
#include "tools/json/stream_json.h"

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
