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
#include "tools/cmd/cmd_stat.h"

static const char *const mode_names[MODES] = {"user", "supervisor", "kernel", "interrupt"};

static void put(json_t *object, const char *name, json_t *value)
{
    json_object_set_new(object, name, value);
}

static json_t *real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

/* JSON libraries have no integers above 2^63: such a number becomes a real and loses low digits. */
static json_t *integer(uint64_t n)
{
    return n <= INT64_MAX ? json_integer((json_int_t)n) : json_real((double)n);
}

static json_t *address(uint64_t a)
{
    return json_sprintf("0x%" PRIx64, a);
}

static json_t *text(const char *t)
{
    return t ? json_string(t) : json_null();
}

/* ---- Shares ---- */

static json_t *share(const struct stat_report *r, const struct table_cell *cell,
                     uint64_t changes, double masked)
{
    const struct snapshot *s = r->epoch->snapshot;
    struct tally tally = {cell->hits, s->samples, changes};
    bool estimated = !r->options->estimator.reason && s->samples;
    json_t *object = json_object();

    put(object, "hits", integer(cell->hits));
    put(object, "percent", real(cell->percent));
    put(object, "low", real(cell->low));
    put(object, "high", real(cell->high));
    put(object, "low999", real(cell->low999));
    put(object, "high999", real(cell->high999));
    put(object, "exact", real(cell->exact));
    put(object, "masked", real(masked));
    put(object, "changes", integer(changes));
    put(object, "deff",
        real(estimated ? confidence_deff(&r->options->estimator, &tally) : NAN));
    return object;
}

/* A cell of a row that has none: each member null. */
static json_t *no_share(void)
{
    static const char *const members[] = {"hits",    "percent", "low",    "high",    "low999",
                                          "high999", "exact",   "masked", "changes", "deff"};
    json_t *object = json_object();

    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        put(object, members[i], json_null());
    return object;
}

static json_t *row(const struct stat_report *r, const struct snapshot_row *from)
{
    const struct snapshot *s = r->epoch->snapshot;
    struct table_row t = table_row(s, from, r->options);
    json_t *object = json_object();
    double masked = 0.0;

    put(object, "name", text(from->name));
    put(object, "id", integer(from->id));
    put(object, "task", json_boolean(from->id < ROW_IDLE));
    for (unsigned m = 0; m < MODES; m++) {
        double percent = table_percent_of_tau(s, (double)from->masked[m]);

        masked += percent;
        put(object, mode_names[m],
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
        put(object, mode_names[m],
            share(r, &t.cell[m], s->mode_changes[m], table_percent_of_tau(s, masked)));
    }
    return object;
}

/* ---- The run ---- */

static json_t *epoch(const struct stat_report *r)
{
    const struct epoch *e = r->epoch;
    json_t *object = json_object();

    put(object, "number", integer((uint64_t)(e - r->model->epoch) + 1));
    put(object, "of", integer(r->model->epochs));
    put(object, "id", address(e->id));
    put(object, "ended", json_boolean(e->ended));
    put(object, "status", e->ended ? integer(e->status) : json_null());
    put(object, "reason", text(e->reason));
    put(object, "build", text(e->has_hello ? e->hello.build.bytes : NULL));
    put(object, "door", text(e->has_hello ? e->hello.door.bytes : NULL));
    put(object, "machine", text(e->has_hello ? e->hello.machine.bytes : NULL));
    put(object, "snapshot", e->snapshot ? integer(e->snapshot->serial) : json_null());
    put(object, "snapshots", integer(e->snapshots));
    put(object, "unfinished", integer(e->unfinished));
    return object;
}

static json_t *policy(const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;
    json_t *object;

    if (!epoch_policy_known(e))
        return json_null();
    object = json_object();
    put(object, "name", text(config_value_name(&e->words, CONFIG_INTERVAL)));
    put(object, "source", text(h->source.bytes));
    put(object, "rate", integer(e->words.rate));
    put(object, "spread", integer(e->words.spread));
    put(object, "seed", integer(h->seed));
    put(object, "mean", real(h->clock_hz ? epoch_mean(e) / (double)h->clock_hz : NAN));
    put(object, "minimum", integer(h->minimum));
    return object;
}

/* The delays of late ticks; empty if the clock rate is not known. */
static json_t *lateness(const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    struct masked_durations_row row[SNAPSHOT_BUCKETS];
    unsigned rows = s ? masked_durations_of(s, r->options->clock_hz, row) : 0;
    json_t *array = json_array();

    for (unsigned i = 0; i < rows; i++) {
        json_t *object = json_object();

        put(object, "low", real(row[i].low));
        put(object, "high", real(row[i].high));
        put(object, "ticks", integer(row[i].ticks));
        put(object, "per_second", real(row[i].per_second));
        json_array_append_new(array, object);
    }
    return array;
}

static void put_losses(json_t *root, const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    bool has_mean = r->options->excess_per_tick != 0;
    json_t *missed = json_object(), *lost = json_object();

    put(root, "samples", s ? integer(s->samples) : json_null());
    put(root, "ticks", s ? integer(s->ticks) : json_null());
    put(root, "late", s ? integer(s->late) : json_null());
    put(root, "lateness", lateness(r));
    put(missed, "masked",
        s && has_mean ? real(table_missed_masked(s, r->options)) : json_null());
    put(missed, "overrun", s ? integer(s->missed_overrun) : json_null());
    put(missed, "source", s ? integer(s->missed_source) : json_null());
    put(root, "missed", missed);
    put(lost, "table", s ? integer(s->lost_table) : json_null());
    put(lost, "ring", s ? integer(s->lost_ring) : json_null());
    put(root, "lost", lost);
}

static void put_window(json_t *root, const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    double hz = r->epoch->has_hello ? (double)r->epoch->hello.clock_hz : 0.0;
    double wall = s ? (double)s->end - (double)s->begin : NAN;
    bool timed = s && s->exact;
    json_t *window = json_object(), *monitor = json_object();

    put(root, "clock_hz", hz > 0.0 ? integer(r->epoch->hello.clock_hz) : json_null());
    put(window, "begin", s ? integer(s->begin) : json_null());
    put(window, "end", s ? integer(s->end) : json_null());
    put(window, "seconds", real(wall / hz));
    put(root, "window", window);
    put(root, "tau", timed ? integer(snapshot_tau(s)) : json_null());
    put(root, "age", s ? real((double)epoch_age(r->epoch) / hz) : json_null());
    put(monitor, "clock", timed ? integer(s->monitor) : json_null());
    put(monitor, "percent", timed ? real(100.0 * (double)s->monitor / wall) : json_null());
    put(root, "monitor", monitor);
    put(root, "transitions", timed ? integer(s->transitions) : json_null());
    put(root, "resolution", s ? real(table_resolution(s, r->options)) : json_null());
    put(root, "generator", s ? integer(s->generator) : json_null());
    put(root, "intervals", s ? integer(s->intervals) : json_null());
}

/* ---- What the image said ---- */

static json_t *faults(const struct epoch *e)
{
    json_t *array = json_array();

    for (size_t i = 0; i < e->fault_count; i++) {
        const struct wire_fault *f = &e->faults[i];
        json_t *object = json_object();

        put(object, "name", text(f->name.bytes));
        put(object, "id", integer(f->id));
        put(object, "mode", text(f->mode < MODES ? mode_names[f->mode] : NULL));
        put(object, "vector", integer(f->vector));
        put(object, "error", integer(f->error));
        put(object, "pc", address(f->pc));
        put(object, "address", address(f->address));
        put(object, "cause", text(f->cause.bytes));
        put(object, "time", integer(f->time));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *reports(const struct epoch *e)
{
    json_t *array = json_array();

    for (size_t i = 0; i < e->report_count; i++) {
        const struct wire_report *f = &e->reports[i];
        json_t *object = json_object();

        put(object, "name", text(f->name.bytes));
        put(object, "id", integer(f->id));
        put(object, "value", integer(f->value));
        put(object, "time", integer(f->time));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *texts(const struct epoch *e)
{
    json_t *array = json_array();

    for (size_t i = 0; i < e->text_count; i++) {
        json_t *object = json_object();

        put(object, "severity", integer(e->texts[i].severity));
        put(object, "text", text(e->texts[i].text.bytes));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *damage(const struct stat_report *r)
{
    const struct stream_stats *stats = &r->stream->stats;
    json_t *object = json_object(), *causes = json_object();

    for (unsigned i = 0; i < DAMAGES; i++)
        put(causes, damage_name(i), integer(stats->damaged[i]));
    put(object, "bytes", integer(stats->bytes));
    put(object, "frames", integer(stats->frames));
    put(object, "damaged", causes);
    put(object, "damaged_bytes", integer(stats->damaged_bytes));
    put(object, "preamble_bytes", integer(stats->preamble));
    put(object, "unknown", integer(stats->unknown));
    put(object, "gaps", integer(stats->gaps));
    put(object, "missing", integer(stats->missing));
    put(object, "adds_up",
        r->epoch->snapshot ? json_boolean(r->epoch->adds_up) : json_null());
    return object;
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

    put(root, "words", text(e->has_hello ? e->hello.words.bytes : NULL));
    put(root, "policy", policy(e));
    put(root, "interval", text(interval_name(r)));
    put(root, "interval_reason",
        text(r->options->wald ? NULL : r->options->estimator.reason));
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
    json_t *object = json_object();

    put(object, "name", text(from->row->name));
    put(object, "mode", text(mode_names[from->mode]));
    put(object, "percent", json_pack("[o, o]", real(from->percent[0]), real(from->percent[1])));
    put(object, "exact", json_pack("[o, o]", real(from->exact[0]), real(from->exact[1])));
    put(object, "z", real(from->z));
    return object;
}

static json_t *alias(const struct alias_compare *from)
{
    const struct alias *a;
    json_t *object, *cells, *wrong;

    if (!from)
        return json_null();
    a = &from->alias;
    object = json_object();
    cells = json_array();
    wrong = json_array();
    for (unsigned i = 0; i < a->cells; i++)
        json_array_append_new(cells, alias_cell(&a->cell[i]));
    for (unsigned i = 0; i < 2; i++)
        if (a->wrong[i])
            json_array_append_new(wrong, text(from->side[i].source));
    put(object, "compared", integer(a->compared));
    put(object, "differ", integer(a->differ));
    put(object, "limit", real(a->limit));
    put(object, "most", real(a->most));
    put(object, "wrong", wrong);
    put(object, "measured", a->differ ? json_boolean(a->measured) : json_null());
    put(object, "cells", cells);
    return object;
}

void stat_json(const struct stat_report *r)
{
    const struct epoch *e = r->epoch;
    json_t *root = json_object();

    put(root, "schema", text("cpuprobe-stat-1"));
    put(root, "complete", json_boolean(epoch_complete(e)));
    put(root, "epoch", epoch(r));
    put_table(root, r);
    put(root, "beside", beside(r));
    put(root, "alias", alias(r->alias));
    put(root, "faults", faults(e));
    put(root, "reports", reports(e));
    put(root, "texts", texts(e));
    put(root, "damage", damage(r));
    json_dumpf(root, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    putchar('\n');
    json_decref(root);
}
