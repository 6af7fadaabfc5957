/* SPDX-License-Identifier: MIT */
/* Counters of the frame decoder. */
#include "tools/json/stream_json.h"

#include "tools/base/json_value.h"

json_t *stream_json(const struct stream_stats *stats)
{
    json_t *causes = json_object(), *missing_of = json_object();

    for (unsigned i = 0; i < DAMAGES; i++)
        json_object_set_new(causes, damage_name(i), json_count(stats->damaged[i]));
#define MISSING_OF(NAME, name, count) json_object_set_new(missing_of, #count, json_count(stats->lost.count));
    WIRE_NUMBERED(MISSING_OF)
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "bytes", json_count(stats->bytes), "frames", json_count(stats->frames), "damaged", causes,
                     "damaged_bytes", json_count(stats->damaged_bytes), "preamble_bytes", json_count(stats->preamble),
                     "unknown", json_count(stats->unknown), "gaps", json_count(stats->gaps),
                     "missing", json_count(stats->missing), "unsure", json_count(stats->unsure), "missing_of", missing_of);
}
