/* SPDX-License-Identifier: MIT */
/* The stream and its epochs; what an epoch does not have is null. */
#include "tools/json/info_json.h"

#include <math.h>

#include "probe/stream/wire.h"
#include "probe/stream/wire_fields.h"
#include "tools/archive/arrival_summary.h"
#include "tools/base/json_value.h"
#include "tools/json/record_json.h"
#include "tools/json/stream_json.h"
#include "tools/model/port_given.h"

static json_t *stream(const struct stream_stats *stats)
{
    json_t *object = stream_json(stats), *records = json_object();
    const struct wire_record *record;

    for (unsigned i = 0; (record = wire_record_at(i)); i++)
        if (stats->of_type[record->type])
            json_object_set_new(records, record->name, json_count(stats->of_type[record->type]));
    json_object_set_new(object, "repeated", json_count(stats->repeated));
    json_object_set_new(object, "records", records);
    return object;
}

static json_t *clock_of(const struct wire_hello *h)
{
    return json_pack("{so sb sb}", "hz", json_count(h->clock_hz), "invariant", !(h->clock_notes & 1), "stops_in_hlt",
                     (int)(h->clock_notes >> 1 & 1));
}

static json_t *tick(const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;
    const double hz = (double)h->clock_hz, mean = epoch_mean(e);

    return json_pack("{so so so so}", "source", json_text_or_null(h->source.bytes), "source_hz",
                     json_finite((double)h->source_hz / 1000.0), "mean_s", json_finite(mean > 0.0 && hz > 0.0 ? mean / hz : NAN),
                     "seed", json_count(h->seed));
}

static json_t *us_or_null(const struct wire_hello *h, uint64_t clocks)
{
    return json_finite(clocks && h->clock_hz ? 1e6 * (double)clocks / (double)h->clock_hz : NAN);
}

static json_t *costs(const struct wire_hello *h)
{
    return json_pack("{so so so so so so}", "port_read_us", us_or_null(h, h->port_read), "port_write_us",
                     us_or_null(h, h->port_write), "lapic_us", us_or_null(h, h->lapic_access), "interrupt_us",
                     us_or_null(h, h->floor), "tick_us", us_or_null(h, h->tick), "tick_percent",
                     json_finite(h->tick ? (double)h->tick_share / 1000.0 : NAN));
}

static json_t *note(const struct epoch *e)
{
    return json_text_or_null(e->words_known && e->words.note[0] ? e->words.note : NULL);
}

static json_t *hello(const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;

    if (!e->has_hello)
        return json_null();
    return json_pack("{so s[oo] so so so so so so so so s{so so so so} so}",
                     "version", json_text_or_null(h->version.length ? h->version.bytes : NULL), "protocol",
                     json_count(h->major), json_count(h->minor), "build", json_text_or_null(h->build.bytes), "words",
                     json_text_or_null(h->words.bytes), "note", note(e), "machine", json_text_or_null(h->machine.bytes), "door",
                     json_text_or_null(h->door.bytes), "line", json_text_or_null(h->line.bytes), "clock", clock_of(h), "tick",
                     tick(e), "measured", "handler", json_count(h->handler), "empty_handler", json_count(h->entry), "floor",
                     json_count(h->floor), "out_of_hlt", json_count(h->halt_floor), "costs", costs(h));
}

static json_t *health(const struct epoch *e)
{
    json_t *list = json_array();

    for (size_t i = 0; i < e->health_count; i++)
        json_array_append_new(list, json_pack("{so so}", "name", json_text_or_null(e->health[i].name.bytes), "value",
                                              json_text_or_null(e->health[i].value.bytes)));
    return list;
}

static json_t *snapshot_of(const struct snapshot *s)
{
    if (!s)
        return json_null();
    return json_pack("{so so so sb}", "serial", json_count(s->serial), "samples", json_count(s->samples), "rows",
                     json_count(s->rows), "final", s->final);
}

static json_t *samples_of(const struct samples *s)
{
    struct samples_entropy h;

    if (!s)
        return json_null();
    h = samples_entropy(s);
    return json_pack("{so so so so so so so s{so so so so}}", "told", json_count(s->told), "arrived", json_count(s->count),
                     "lost", json_count(s->lost), "unresolved", json_count(samples_unresolved(s)), "damaged", json_count(s->damaged),
                     "timeless", json_count(s->timeless), "bytes_each",
                     json_finite(s->count ? (double)s->bytes / (double)s->count : NAN), "entropy_bits", "sample",
                     json_finite(s->count ? h.places + h.steps : NAN), "place", json_finite(s->count ? h.places : NAN), "cell",
                     json_finite(s->count ? h.cells : NAN), "step", json_finite(s->count ? h.steps : NAN));
}

static json_t *events_of(const struct epoch_events *e)
{
    if (!e || !e->counted)
        return json_null();
    return json_pack("{so so so so}", "recorded", json_count(e->counts.recorded), "overwritten",
                     json_count(e->counts.overwritten), "lost", json_count(e->counts.lost), "classes", event_classes_json(e));
}

static json_t *rules_of(const struct epoch_events *e)
{
    json_t *met;

    if (!e || !e->rules.epoch)
        return json_null();
    met = json_array();
    for (unsigned i = 0; i < EVENT_RULES_MAX; i++)
        json_array_append_new(met, json_count(e->rule[i].hits));
    return json_pack("{so s[oooooooo]}", "met", met, "counters", json_count(e->rules.counter0), json_count(e->rules.counter1),
                     json_count(e->rules.counter2), json_count(e->rules.counter3), json_count(e->rules.counter4),
                     json_count(e->rules.counter5), json_count(e->rules.counter6), json_count(e->rules.counter7));
}

/* Of each optional field whether the port gives it; null: it is no port. */
static json_t *port_of(const struct epoch *e)
{
    const struct port_given g = port_given(e);
    json_t *fields;

    if (!g.is_port)
        return json_null();
    fields = json_object();
    for (unsigned i = 0; i < PORT_OPTIONALS; i++)
        json_object_set_new(fields, port_optional_name(i), json_boolean(g.gives[i]));
    return fields;
}

static const char *const program_state[PROGRAM_STATES] = {
    [PROGRAM_RUNS] = "running", [PROGRAM_EXITED] = "exited", [PROGRAM_ENDED] = "ended",
};

static json_t *program_of(const struct process_record *r)
{
    json_t *missing = json_array();

    for (size_t i = 0; i < r->calls; i++)
        json_array_append_new(missing, json_pack("{so so so}", "number", json_count(r->call[i].number), "name",
                                                 json_text_or_null(r->call[i].name[0] ? r->call[i].name : NULL), "count",
                                                 json_count(r->call[i].count)));
    return json_pack("{so ss so so so so}", "name", json_text_or_null(r->name), "state", program_state[r->state], "status",
                     r->state == PROGRAM_EXITED ? json_count(r->status) : json_null(), "base", json_address(r->base), "code_changes",
                     json_count(r->generation), "missing_calls", missing);
}

static json_t *programs_of(const struct process_records *p)
{
    json_t *list = json_array();

    for (size_t i = 0; i < p->count; i++)
        json_array_append_new(list, program_of(&p->of[i]));
    return list;
}

static json_t *end_of(const struct epoch *e)
{
    if (!e->ended)
        return json_null();
    return json_pack("{so so}", "status", json_count(e->status), "reason", json_text_or_null(e->reason));
}

static json_t *epoch_of(const struct model *m, const struct epoch *e)
{
    return json_pack("{so so sb so so so so so so so so so so so so so so so}", "number", json_count((uint64_t)(e - m->epoch) + 1), "id",
                     json_address(e->id), "complete", epoch_complete(e), "hello", hello(e), "port", port_of(e), "health", health(e),
                     "snapshots", json_count(e->snapshots), "unfinished", json_count(e->unfinished), "snapshot",
                     snapshot_of(e->snapshot), "samples", samples_of(e->samples), "stacks", stack_walks_json(&e->stacks.walks), "events",
                     events_of(e->events), "rules", rules_of(e->events), "programs",
                     programs_of(&e->processes), "texts", json_count(e->text_count), "faults",
                     json_count(e->fault_count), "reports", json_count(e->report_count), "end", end_of(e));
}

/* In millionths; null: too few moments. */
static json_t *drift(const struct drift_estimate *e)
{
    const bool has = e->error >= 0.0;

    if (e->blocks < 2)
        return json_null();
    return json_pack("{so so so so so}", "ppm", json_finite(1e6 * e->drift),
                     "low", json_finite(has ? 1e6 * (e->drift - e->error) : NAN),
                     "high", json_finite(has ? 1e6 * (e->drift + e->error) : NAN),
                     "moments", json_count(e->moments), "blocks", json_count(e->blocks));
}

static json_t *arrived(const char *path)
{
    struct arrival_summary s;
    char date[32];

    if (!arrival_summarize(path, &s))
        return json_null();
    arrival_date(s.wall, date);
    return json_pack("{so so so so so so so}", "date", json_text_or_null(s.wall ? date : NULL),
                     "seconds", json_finite(s.seconds), "gaps", json_count(s.gaps), "away", json_finite(s.away),
                     "wrong", json_count(s.wrong), "boots", json_count(s.boots), "drift", drift(&s.drift));
}

void info_json(const char *path, const struct stream_stats *stats, const struct model *m, const struct epoch *only)
{
    json_t *epochs = json_array();

    for (size_t i = 0; i < m->epochs; i++)
        if (!only || only == &m->epoch[i])
            json_array_append_new(epochs, epoch_of(m, &m->epoch[i]));
    json_print(json_pack("{ss so so so}", "schema", "cpuprobe-info-1", "stream", stream(stats), "arrived", arrived(path),
                         "epochs", epochs),
               JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}
