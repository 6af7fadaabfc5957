/* SPDX-License-Identifier: MIT */
/*
 * Takes snapshots out of a stream, and forgets the stream; keeps the newest frames of raw samples, and reads them
 * again.
 */
#include "tools/live/live_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/stats/table_sort.h"
#include "tools/analysis/report.h"
#include "tools/base/alloc.h"
#include "tools/base/printable.h"

#define KEPT_BYTES  ((uint64_t)1 << 20) /* of the stream, after which the model begins anew with a HELLO */
#define KEPT_MEMORY ((uint64_t)32 << 20) /* of the model, after which it begins anew anywhere */

void live_run_init(struct live_run *r)
{
    memset(r, 0, sizeof(*r));
    r->model.skips_samples = r->model.skips_changes = true;
    r->whole = xcalloc(1, sizeof(struct snapshot));
    r->last = xcalloc(1, sizeof(struct snapshot));
    r->before = xcalloc(1, sizeof(struct snapshot));
}

void live_run_free(struct live_run *r)
{
    model_free(&r->model);
    preface_free(&r->preface);
    free(r->whole);
    free(r->last);
    free(r->before);
}

void live_run_copy(struct live_run *to, const struct live_run *r)
{
    live_run_free(to);
    *to = *r;
    to->model = (struct model){0};
    to->preface = (struct stream_preface){0};
    to->whole = xcalloc(1, sizeof(struct snapshot));
    to->last = xcalloc(1, sizeof(struct snapshot));
    to->before = NULL;
    memcpy(to->whole, r->whole, sizeof(*to->whole));
    memcpy(to->last, r->last, sizeof(*to->last));
}

struct epoch *live_run_epoch(struct live_run *r)
{
    struct epoch *e = r->model.epochs ? r->model.epoch[r->model.epochs - 1] : NULL;

    return e && e->snapshot && e->has_hello && e->id == r->epoch ? e : NULL;
}

double live_run_seconds(const struct live_run *r, const struct snapshot *s)
{
    return r->hello.clock_hz && s->end > s->begin ? (double)(s->end - s->begin) / (double)r->hello.clock_hz : 0.0;
}

/* What a table is made of; other records of a long run would only be kept. */
static bool is_wanted(enum wire_type type)
{
    switch (type) {
    case WIRE_HELLO: case WIRE_NAMES: case WIRE_PROGRAMS: case WIRE_SNAPSHOT: case WIRE_CELLS: case WIRE_EXACT:
    case WIRE_REGION: case WIRE_LATENESS: case WIRE_DELTA: case WIRE_END:
        return true;
    default:
        return false;
    }
}

/* The model that begins there has what the preface holds, which is bounded. */
static void forget(struct live_run *r, const struct stream_event *event)
{
    if (r->model.kept < KEPT_MEMORY &&
        (event->reader.type != WIRE_HELLO || event->offset - r->forgot < KEPT_BYTES))
        return;
    model_free(&r->model);
    r->model.skips_samples = r->model.skips_changes = true;
    r->forgot = event->offset;
    preface_fill_model(&r->preface, &r->model);
}

static void note(char to[LIVE_TEXT], struct wire_text text)
{
    const bool line = text.length && text.bytes[text.length - 1] == '\n';
    char *copy = printable_copy(text.bytes, text.length - line);

    snprintf(to, LIVE_TEXT, "%s", copy);
    free(copy);
}

static void take_text(struct live_run *r, struct wire_reader reader)
{
    struct wire_text_record text;

    wire_read_head(&reader, &text);
    if (text.severity)
        note(r->said, text.text);
}

/* The state of the source of these ticks: the row "tick=pit", or with its delivery. */
static void take_health(struct live_run *r, struct wire_reader reader)
{
    struct wire_health head;
    struct wire_health_row row;

    wire_read_head(&reader, &head);
    while (wire_read_row(&reader, &row))
        if (row.value.length > 6 && !memcmp(row.value.bytes, "in use", 6))
            note(r->health, row.value);
}

static double percent_of(const struct snapshot *s, uint64_t hits)
{
    return s->samples ? 100.0 * (double)hits / (double)s->samples : 0.0;
}

/* The second source, and the row in whose share it differs most from the first. */
static void note_second(struct live_run *r, const struct epoch *e)
{
    const struct epoch *const other = e->second_source;
    const struct snapshot *const a = e->snapshot, *const b = other ? other->snapshot : NULL;
    char text[LIVE_TEXT];
    const char *name = "";
    double most = 0.0;

    r->beside_of = other ? other->snapshots : 0;
    snprintf(r->beside, LIVE_TEXT, "%s", other ? "a second source beside it has no table yet" : "");
    for (uint32_t i = 0; b && i < a->rows; i++) {
        const struct snapshot_row *const row = snapshot_find_row(b, a->row[i].id);
        const double difference = percent_of(b, row ? row->total : 0) - percent_of(a, a->row[i].total);

        if (fabs(difference) >= fabs(most)) {
            most = difference;
            name = snapshot_row_name(&a->row[i]);
        }
    }
    if (!b)
        return;
    snprintf(text, LIVE_TEXT, "%.15s beside it took %" PRIu64 ", of row %.15s %+.2f points",
             other->hello.source.bytes, b->samples, name, most);
    note(r->beside, (struct wire_text){.bytes = text, .length = strlen(text)});
}

static void take_facts(struct live_run *r, const struct epoch *e)
{
    r->hello = e->hello;
    r->options = report_options(e);
    r->mean = epoch_mean(e);
    snprintf(r->source, sizeof(r->source), "%s", e->hello.source.bytes);
    snprintf(r->words, sizeof(r->words), "%s", e->hello.words.bytes);
    snprintf(r->policy, sizeof(r->policy), "%s",
             epoch_policy_known(e) ? config_value_name(&e->words, CONFIG_INTERVAL) : "");
    if (!e->second_source)
        note_second(r, e);
}

static void take_snapshot(struct live_run *r, struct epoch *e)
{
    const struct snapshot *s = e->snapshot;
    struct snapshot *const before = r->whole;
    const bool goes_on = r->has_whole && e->id == r->epoch;

    epoch_name_rows(e);
    take_facts(r, e);
    r->whole = r->before;
    r->before = before;
    memcpy(r->whole, s, snapshot_bytes(s));
    if (goes_on)
        r->has_last = snapshot_difference(r->last, r->whole, r->before);
    else
        memcpy(r->last, r->whole, sizeof(*r->last));
    r->has_last = r->has_last || !goes_on;
    r->epochs += !goes_on;
    r->epoch = e->id;
    r->has_whole = true;
    r->snapshots++;
    r->ended = false;
}

static void take_end(struct live_run *r, const struct epoch *e)
{
    r->ended = true;
    r->ended_well = !e->status;
    snprintf(r->reason, sizeof(r->reason), "%s", e->reason);
}

/* Give a record to the model; true if a snapshot of the first source became whole by it. */
static bool add_record(struct live_run *r, const struct stream_event *event)
{
    const struct epoch *e = r->model.epochs ? r->model.epoch[r->model.epochs - 1] : NULL;
    const uint64_t id = e ? e->id : 0, had = e ? e->snapshots : 0;
    struct epoch *now;

    model_add_event(&r->model, event);
    if (!r->model.epochs)
        return false;
    now = r->model.epoch[r->model.epochs - 1];
    if (now->snapshot && now->second_source && now->second_source->snapshots != r->beside_of)
        note_second(r, now);
    r->baseless = !now->snapshot && now->newest_baseless;
    if (event->reader.type == WIRE_END && now->ended)
        take_end(r, now);
    if (!now->has_hello || !now->snapshot || (now->snapshots == had && now->id == id))
        return false;
    take_snapshot(r, now);
    return true;
}

bool live_run_add_event(struct live_run *r, const struct stream_event *event)
{
    r->heard = event->offset + event->length;
    if (event->kind != STREAM_RECORD)
        return false;
    if (event->reader.type == WIRE_TEXT)
        take_text(r, event->reader);
    else if (event->reader.type == WIRE_HEALTH)
        take_health(r, event->reader);
    if (!is_wanted(event->reader.type))
        return false;
    forget(r, event);
    preface_add_event(&r->preface, event);
    return add_record(r, event);
}

/* What a profile of raw samples is made of. */
static bool is_of_samples(enum wire_type type)
{
    switch (type) {
    case WIRE_HELLO: case WIRE_NAMES: case WIRE_PROGRAMS: case WIRE_PLACES: case WIRE_SAMPLES:
    case WIRE_MASKED_SAMPLES: case WIRE_PACKED_PLACES: case WIRE_PACKED_SAMPLES:
        return true;
    default:
        return false;
    }
}

void live_samples_add_event(struct live_samples *s, const struct stream_event *event)
{
    uint8_t frame[WIRE_FRAME_MAX];

    preface_add_event(&s->preface, event);
    if (event->kind != STREAM_RECORD || !is_of_samples(event->reader.type))
        return;
    s->any = s->any || event->reader.type == WIRE_SAMPLES || event->reader.type == WIRE_PACKED_SAMPLES;
    line_history_bytes(&s->history, frame, preface_encode(&event->reader, frame));
    line_history_event(&s->history, &s->preface);
}

struct epoch *live_samples_read(const struct live_samples *s, struct model *m, uint64_t id)
{
    struct frame_decoder *decoder = xrealloc_array(NULL, 1, sizeof(*decoder));
    const struct history_part *part = &s->history.part;
    struct epoch *found = NULL;
    struct stream_event event;

    decoder_init(decoder);
    m->skips_changes = true;
    for (size_t at = 0; at < part->length;) {
        at += decoder_feed(decoder, part->bytes + at, part->length - at, &event);
        model_add_event(m, &event);
    }
    model_finish(m);
    free(decoder);
    for (size_t i = 0; i < m->epochs; i++)
        if (m->epoch[i]->id == id && m->epoch[i]->has_hello && m->epoch[i]->samples && m->epoch[i]->samples->count)
            found = m->epoch[i];
    if (found)
        samples_begin_at_first(found->samples);
    return found;
}

void live_samples_free(struct live_samples *s)
{
    preface_free(&s->preface);
    line_history_free(&s->history);
}
