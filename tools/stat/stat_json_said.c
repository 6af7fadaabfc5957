/* SPDX-License-Identifier: MIT */
/* What the image said beside its table: faults, reports, texts, events, profiles. */
#include "tools/stat/stat_json_parts.h"

#include "tools/base/json_value.h"
#include "tools/json/record_json.h"

json_t *stat_json_faults(const struct epoch *e)
{
    json_t *array = json_array();

    for (size_t i = 0; i < e->fault_count; i++) {
        const struct wire_fault *f = &e->faults[i];

        json_array_append_new(array, json_pack(
            "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_text_or_null(f->name.bytes), "id", json_count(f->id),
            "mode", json_text_or_null(f->mode < MODES ? mode_name(f->mode) : NULL), "vector", json_count(f->vector),
            "error", json_count(f->error), "pc", json_address(f->pc), "address", json_address(f->address),
            "cause", json_text_or_null(f->cause.bytes), "time", json_count(f->time)));
    }
    return array;
}

json_t *stat_json_reports(const struct epoch *e)
{
    json_t *array = json_array();

    for (size_t i = 0; i < e->report_count; i++) {
        const struct wire_report *f = &e->reports[i];

        json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o}", "name", json_text_or_null(f->name.bytes), "id", json_count(f->id),
                                               "value", json_count(f->value), "time", json_count(f->time)));
    }
    return array;
}

json_t *stat_json_texts(const struct epoch *e)
{
    json_t *array = json_array();

    for (size_t i = 0; i < e->text_count; i++)
        json_array_append_new(array, json_pack("{s:o, s:o}", "severity", json_count(e->texts[i].severity),
                                               "text", json_text_or_null(e->texts[i].text.bytes)));
    return array;
}

/* Counted by class; null where none arrived. */
json_t *stat_json_events(const struct epoch *e)
{
    const struct epoch_events *from = e->events;

    if (!from || !from->counted)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "time", json_count(from->counts.time),
                     "recorded", json_count(from->counts.recorded), "overwritten", json_count(from->counts.overwritten),
                     "lost", json_count(from->counts.lost),
                     "first_lost", from->counts.lost ? json_count(from->counts.lost_time) : json_null(), "classes", event_classes_json(from));
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

json_t *stat_json_profils(const struct epoch *e)
{
    json_t *array = json_array();

    for (size_t i = 0; i < e->profils.count; i++)
        json_array_append_new(array, profil(e, &e->profils.of[i]));
    return array;
}
