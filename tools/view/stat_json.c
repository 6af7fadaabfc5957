/* SPDX-License-Identifier: MIT */
/*
 * The table as JSON, schema cpuprobe-stat-1: docs/JSON.md has each member.
 * What was not measured is null.
 */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/stats/confidence.h"
#include "probe/stats/masked_durations.h"
#include "tools/analysis/load_json.h"
#include "tools/base/json_value.h"
#include "tools/view/callers_view.h"
#include "tools/view/procstat_json.h"
#include "tools/view/stat_json.h"

static void put(json_t *object, const char *name, json_t *value)
{
    json_object_set_new(object, name, value);
}

static json_t *address(uint64_t a)
{
    return json_sprintf("0x%" PRIx64, a);
}

/* Of a snapshot that there may not be. */
#define NUMBER_OF(s, member) ((s) ? json_count((s)->member) : json_null())

/* ---- Shares ---- */

static json_t *share(const struct stat_report *r, const struct table_cell *cell,
                     uint64_t changes, double masked)
{
    const struct snapshot *s = r->epoch->snapshot;
    struct tally tally = {cell->hits, s->samples, changes};
    bool estimated = !r->options->estimator.reason && s->samples;
    double deff = estimated ? confidence_deff(&r->options->estimator, &tally) : NAN;

    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "hits", json_count(cell->hits), "percent", json_finite(cell->percent),
                     "low", json_finite(cell->low), "high", json_finite(cell->high),
                     "low999", json_finite(cell->low999), "high999", json_finite(cell->high999),
                     "exact", json_finite(cell->exact), "masked", json_finite(masked),
                     "changes", json_count(changes), "deff", json_finite(deff));
}

/* A cell of a row that has none: each member null. */
static json_t *no_share(void)
{
    return json_pack("{s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n}", "hits", "percent", "low", "high",
                     "low999", "high999", "exact", "masked", "changes", "deff");
}

static json_t *row(const struct stat_report *r, const struct snapshot_row *from)
{
    const struct snapshot *s = r->epoch->snapshot;
    struct table_row t = table_row(s, from, r->options);
    json_t *object = json_pack("{s:o, s:o, s:b}", "name", json_text_or_null(from->name), "id", json_count(from->id),
                               "task", from->id < ROW_IDLE);
    double masked = 0.0;

    for (unsigned m = 0; m < MODES; m++) {
        double percent = table_percent_of_tau(s, (double)from->masked[m]);

        masked += percent;
        put(object, mode_name(m),
            t.modes ? share(r, &t.cell[m], from->changes[m], percent) : no_share());
    }
    put(object, "total", share(r, &t.total, from->total_changes, t.modes ? masked : NAN));
    return object;
}

/* All rows; row MASKED is present if ticks were late or masked time was measured. */
static json_t *rows(const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    json_t *array = json_array();
    bool has_masked = false;

    for (uint32_t i = 0; s && i < s->rows; i++) {
        const struct snapshot_row *from = &s->row[i];

        has_masked |= from->id == ROW_MASKED;
        if (from->id != ROW_LOST || from->total)
            json_array_append_new(array, row(r, from));
    }
    if (s && s->exact && !has_masked && !r->options->unmasked)
        json_array_append_new(
            array, row(r, &(struct snapshot_row){.id = ROW_MASKED, .name = "MASKED"}));
    return array;
}

static json_t *modes(const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    json_t *object = json_object();
    struct table_row t;

    if (!s)
        return object;
    t = table_total(s, r->options);
    for (unsigned m = 0; m < MODES; m++) {
        double masked = 0.0;

        for (uint32_t i = 0; i < s->rows; i++)
            masked += (double)s->row[i].masked[m];
        put(object, mode_name(m),
            share(r, &t.cell[m], s->mode_changes[m], table_percent_of_tau(s, masked)));
    }
    return object;
}

/* ---- The run ---- */

static json_t *epoch(const struct stat_report *r)
{
    const struct epoch *e = r->epoch;

    return json_pack("{s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "number", json_count((uint64_t)(e - r->model->epoch) + 1), "of", json_count(r->model->epochs),
                     "id", address(e->id), "ended", e->ended,
                     "status", e->ended ? json_count(e->status) : json_null(), "reason", json_text_or_null(e->reason),
                     "build", json_text_or_null(e->has_hello ? e->hello.build.bytes : NULL),
                     "door", json_text_or_null(e->has_hello ? e->hello.door.bytes : NULL),
                     "machine", json_text_or_null(e->has_hello ? e->hello.machine.bytes : NULL),
                     "snapshot", NUMBER_OF(e->snapshot, serial), "snapshots", json_count(e->snapshots),
                     "unfinished", json_count(e->unfinished));
}

static json_t *policy(const struct epoch *e)
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

static void put_losses(json_t *root, const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    json_t *masked = s && r->options->excess_per_tick != 0 ? json_finite(table_missed_masked(s, r->options)) : json_null();

    put(root, "samples", NUMBER_OF(s, samples));
    put(root, "ticks", NUMBER_OF(s, ticks));
    put(root, "late", NUMBER_OF(s, late));
    put(root, "lateness", lateness(r));
    put(root, "missed", json_pack("{s:o, s:o, s:o}", "masked", masked, "overrun", NUMBER_OF(s, missed_overrun),
                                  "source", NUMBER_OF(s, missed_source)));
    put(root, "lost", json_pack("{s:o, s:o}", "table", NUMBER_OF(s, lost_table), "ring", NUMBER_OF(s, lost_ring)));
}

static void put_window(json_t *root, const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    double hz = r->epoch->has_hello ? (double)r->epoch->hello.clock_hz : 0.0;
    double wall = s ? (double)s->end - (double)s->begin : NAN;
    const struct snapshot *timed = s && s->exact ? s : NULL;

    put(root, "clock_hz", hz > 0.0 ? json_count(r->epoch->hello.clock_hz) : json_null());
    put(root, "window", json_pack("{s:o, s:o, s:o}", "begin", NUMBER_OF(s, begin), "end", NUMBER_OF(s, end),
                                  "seconds", json_finite(wall / hz)));
    put(root, "tau", timed ? json_count(snapshot_tau(s)) : json_null());
    put(root, "age", s ? json_finite((double)epoch_age(r->epoch) / hz) : json_null());
    put(root, "monitor", json_pack("{s:o, s:o}", "clock", NUMBER_OF(timed, monitor),
                                   "percent", timed ? json_finite(100.0 * (double)s->monitor / wall) : json_null()));
    put(root, "transitions", NUMBER_OF(timed, transitions));
    put(root, "resolution", s ? json_finite(table_resolution(s, r->options)) : json_null());
    put(root, "generator", NUMBER_OF(s, generator));
    put(root, "intervals", NUMBER_OF(s, intervals));
}

/* ---- What the image said ---- */

static json_t *faults(const struct epoch *e)
{
    json_t *array = json_array();

    for (size_t i = 0; i < e->fault_count; i++) {
        const struct wire_fault *f = &e->faults[i];

        json_array_append_new(array, json_pack(
            "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_text_or_null(f->name.bytes), "id", json_count(f->id),
            "mode", json_text_or_null(f->mode < MODES ? mode_name(f->mode) : NULL), "vector", json_count(f->vector),
            "error", json_count(f->error), "pc", address(f->pc), "address", address(f->address),
            "cause", json_text_or_null(f->cause.bytes), "time", json_count(f->time)));
    }
    return array;
}

static json_t *reports(const struct epoch *e)
{
    json_t *array = json_array();

    for (size_t i = 0; i < e->report_count; i++) {
        const struct wire_report *f = &e->reports[i];

        json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o}", "name", json_text_or_null(f->name.bytes), "id", json_count(f->id),
                                               "value", json_count(f->value), "time", json_count(f->time)));
    }
    return array;
}

static json_t *texts(const struct epoch *e)
{
    json_t *array = json_array();

    for (size_t i = 0; i < e->text_count; i++)
        json_array_append_new(array, json_pack("{s:o, s:o}", "severity", json_count(e->texts[i].severity),
                                               "text", json_text_or_null(e->texts[i].text.bytes)));
    return array;
}

/* Counted by class; null where none arrived. */
static json_t *events(const struct epoch *e)
{
    const struct epoch_events *from = e->events;
    json_t *classes;

    if (!from || !from->counted)
        return json_null();
    classes = json_object();
    for (unsigned class = 0; class < TRACE_CLASSES_END; class++)
        if (from->count[class])
            put(classes, trace_class_name(class), json_count(from->count[class]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "time", json_count(from->counts.time),
                     "recorded", json_count(from->counts.recorded), "overwritten", json_count(from->counts.overwritten),
                     "lost", json_count(from->counts.lost),
                     "first_lost", from->counts.lost ? json_count(from->counts.lost_time) : json_null(), "classes", classes);
}

static json_t *damage(const struct stat_report *r)
{
    const struct stream_stats *stats = &r->stream->stats;
    json_t *causes = json_object();

    for (unsigned i = 0; i < DAMAGES; i++)
        put(causes, damage_name(i), json_count(stats->damaged[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "bytes", json_count(stats->bytes), "frames", json_count(stats->frames), "damaged", causes,
                     "damaged_bytes", json_count(stats->damaged_bytes), "preamble_bytes", json_count(stats->preamble),
                     "unknown", json_count(stats->unknown), "gaps", json_count(stats->gaps),
                     "missing", json_count(stats->missing),
                     "adds_up", r->epoch->snapshot ? json_boolean(r->epoch->adds_up) : json_null());
}

static const char *interval_name(const struct stat_report *r)
{
    if (r->options->wald)
        return "wald";
    return r->options->estimator.reason ? NULL : config_value_name(&r->epoch->words, CONFIG_INTERVAL);
}

/* The members for one source. */
static void put_table(json_t *root, const struct stat_report *r)
{
    const struct epoch *e = r->epoch;

    put(root, "words", json_text_or_null(e->has_hello ? e->hello.words.bytes : NULL));
    put(root, "policy", policy(e));
    put(root, "interval", json_text_or_null(interval_name(r)));
    put(root, "interval_reason",
        json_text_or_null(r->options->wald ? NULL : r->options->estimator.reason));
    put_losses(root, r);
    put_window(root, r);
    put(root, "tasks", rows(r));
    put(root, "modes", modes(r));
}

static json_t *beside(const struct stat_report *r)
{
    json_t *object;

    if (!r->second_source)
        return json_null();
    object = json_object();
    put_table(object, r->second_source);
    return object;
}

static json_t *alias_cell(const struct alias_cell *from)
{
    return json_pack("{s:o, s:o, s:[o, o], s:[o, o], s:o}",
                     "name", json_text_or_null(from->row->name), "mode", json_text_or_null(mode_name(from->mode)),
                     "percent", json_finite(from->percent[0]), json_finite(from->percent[1]),
                     "exact", json_finite(from->exact[0]), json_finite(from->exact[1]), "z", json_finite(from->z));
}

static json_t *alias(const struct alias_compare *from)
{
    const struct alias *a;
    json_t *cells, *wrong;

    if (!from)
        return json_null();
    a = &from->alias;
    cells = json_array();
    wrong = json_array();
    for (unsigned i = 0; i < a->cells; i++)
        json_array_append_new(cells, alias_cell(&a->cell[i]));
    for (unsigned i = 0; i < 2; i++)
        if (a->wrong[i])
            json_array_append_new(wrong, json_text_or_null(from->side[i].source));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "compared", json_count(a->compared), "differ", json_count(a->differ), "limit", json_finite(a->limit),
                     "most", json_finite(a->most), "wrong", wrong,
                     "measured", a->differ ? json_boolean(a->measured) : json_null(), "cells", cells);
}

static json_t *profil(const struct epoch *e, const struct profil_record *r)
{
    const struct wire_profil *const h = &r->head;
    uint64_t counted = 0;
    char name[NAME_SIZE];

    for (size_t i = 0; i < r->rows; i++)
        counted += r->row[i].count;
    epoch_name_of(e, (uint32_t)h->id, name);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "name", json_text_or_null(name), "id", json_count(h->id), "number", json_count(h->number),
                     "trap_a_tick", json_boolean(h->flags & 1), "counted", json_count(counted), "direct", json_count(h->direct),
                     "trapped", json_count(h->trapped), "touched", json_count(h->touched), "calls", json_count(h->calls),
                     "calls_touched", json_count(h->calls_touched), "outside", json_count(h->outside),
                     "lost", json_count(h->lost), "stopped", json_boolean(h->stopped), "missing", json_count(r->missing));
}

static json_t *profils(const struct epoch *e)
{
    json_t *array = json_array();

    for (size_t i = 0; i < e->profils.count; i++)
        json_array_append_new(array, profil(e, &e->profils.of[i]));
    return array;
}

json_t *stat_json_object(const struct stat_report *r)
{
    const struct epoch *e = r->epoch;
    json_t *root = json_object();

    put(root, "schema", json_text_or_null("cpuprobe-stat-1"));
    put(root, "complete", json_boolean(epoch_complete(e)));
    put(root, "epoch", epoch(r));
    put_table(root, r);
    put(root, "beside", beside(r));
    put(root, "alias", alias(r->alias));
    put(root, "callers", callers_json(e));
    put(root, "procstat", procstat_json_whole(e));
    put(root, "idletask", idle_task_json(e));
    put(root, "perfcall", perf_call_json(e));
    put(root, "proctable", process_table_json_last(e));
    put(root, "profil", profils(e));
    put(root, "faults", faults(e));
    put(root, "reports", reports(e));
    put(root, "texts", texts(e));
    put(root, "events", events(e));
    put(root, "damage", damage(r));
    return root;
}

void stat_json(const struct stat_report *r)
{
    json_print(stat_json_object(r), JSON_INDENT(1) | JSON_REAL_PRECISION(STAT_JSON_DIGITS));
}
