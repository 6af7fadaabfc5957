/* SPDX-License-Identifier: MIT */
/* The run: its epoch, its policy, what it lost, its window, the bytes of its stream. */
#include "tools/stat/stat_json_parts.h"

#include <math.h>

#include "probe/stats/masked_durations.h"
#include "tools/base/json_value.h"
#include "tools/json/stream_json.h"

json_t *stat_json_epoch(const struct stat_report *r)
{
    const struct epoch *e = r->epoch;

    return json_pack("{s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "number", json_count((uint64_t)(e - r->model->epoch) + 1), "of", json_count(r->model->epochs),
                     "id", json_address(e->id), "ended", e->ended,
                     "status", e->ended ? json_count(e->status) : json_null(), "reason", json_text_or_null(e->reason),
                     "build", json_text_or_null(e->has_hello ? e->hello.build.bytes : NULL),
                     "door", json_text_or_null(e->has_hello ? e->hello.door.bytes : NULL),
                     "machine", json_text_or_null(e->has_hello ? e->hello.machine.bytes : NULL),
                     "snapshot", NUMBER_OF(e->snapshot, serial), "snapshots", json_count(e->snapshots),
                     "unfinished", json_count(e->unfinished));
}

json_t *stat_json_policy(const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;

    if (!epoch_policy_known(e))
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "name", json_text_or_null(config_value_name(&e->words, CONFIG_INTERVAL)), "source", json_text_or_null(h->source.bytes),
                     "rate", json_count(e->words.rate), "spread", json_count(e->words.spread), "seed", json_count(h->seed),
                     "mean", json_finite(h->clock_hz ? epoch_mean(e) / (double)h->clock_hz : NAN),
                     "minimum", json_count(h->minimum));
}

/* The delays of late ticks; empty if the clock rate is not known. */
static json_t *lateness(const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    struct masked_durations_row row[SNAPSHOT_BUCKETS];
    unsigned rows = s ? masked_durations_of(s, r->options->clock_hz, row) : 0;
    json_t *array = json_array();

    for (unsigned i = 0; i < rows; i++)
        json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o}", "low", json_finite(row[i].low), "high", json_finite(row[i].high),
                                               "ticks", json_count(row[i].ticks), "per_second", json_finite(row[i].per_second)));
    return array;
}

void stat_json_put_losses(json_t *root, const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    const struct snapshot *pointed = s && s->points ? s : NULL;
    json_t *masked = s && r->options->excess_per_tick != 0 ? json_finite(table_missed_masked(s, r->options)) : json_null();

    json_object_set_new(root, "samples", NUMBER_OF(s, samples));
    json_object_set_new(root, "ticks", NUMBER_OF(s, ticks));
    json_object_set_new(root, "points", NUMBER_OF(pointed, points));
    json_object_set_new(root, "in_handler", NUMBER_OF(pointed, in_handler));
    json_object_set_new(root, "handler_bias", pointed ? json_finite(table_handler_bias(s, r->options)) : json_null());
    json_object_set_new(root, "late", NUMBER_OF(s, late));
    json_object_set_new(root, "lateness", lateness(r));
    json_object_set_new(root, "missed", json_pack("{s:o, s:o, s:o}", "masked", masked, "overrun", NUMBER_OF(s, missed_overrun),
                                  "source", NUMBER_OF(s, missed_source)));
    json_object_set_new(root, "lost", json_pack("{s:o, s:o}", "table", NUMBER_OF(s, lost_table), "ring", NUMBER_OF(s, lost_ring)));
}

void stat_json_put_window(json_t *root, const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    double hz = r->epoch->has_hello ? (double)r->epoch->hello.clock_hz : 0.0;
    double wall = s ? (double)s->end - (double)s->begin : NAN;
    const struct snapshot *timed = s && s->exact ? s : NULL;

    json_object_set_new(root, "clock_hz", hz > 0.0 ? json_count(r->epoch->hello.clock_hz) : json_null());
    json_object_set_new(root, "window", json_pack("{s:o, s:o, s:o}", "begin", NUMBER_OF(s, begin), "end", NUMBER_OF(s, end),
                                  "seconds", json_finite(wall / hz)));
    json_object_set_new(root, "tau", timed ? json_count(snapshot_tau(s)) : json_null());
    json_object_set_new(root, "age", s ? json_finite((double)epoch_age(r->epoch) / hz) : json_null());
    json_object_set_new(root, "monitor", json_pack("{s:o, s:o}", "clock", NUMBER_OF(timed, monitor),
                                   "percent", timed ? json_finite(100.0 * (double)s->monitor / wall) : json_null()));
    json_object_set_new(root, "transitions", NUMBER_OF(timed, transitions));
    json_object_set_new(root, "resolution", s ? json_finite(table_resolution(s, r->options)) : json_null());
    json_object_set_new(root, "generator", NUMBER_OF(s, generator));
    json_object_set_new(root, "intervals", NUMBER_OF(s, intervals));
}

json_t *stat_json_damage(const struct stat_report *r)
{
    json_t *object = stream_json(&r->stream->stats);

    json_object_set_new(object, "adds_up", r->epoch->snapshot ? json_boolean(r->epoch->adds_up) : json_null());
    return object;
}
