/* SPDX-License-Identifier: MIT */
/*
 * JSON lines: an object a line.  First the run with its notes, then records without a report of their own, then each
 * sample with what is lost between them, then states, events and gaps.  Times are seconds since the image started.
 */
#include <inttypes.h>

#include "probe/trace/event_class.h"
#include "probe/trace/machine_state.h"
#include "tools/export/export.h"
#include "tools/records/plain_report.h"

#define NS 1000000000

struct jsonl {
    const struct export_run *run;
    FILE *out;
    bool timed;
};

static void put_key(const struct jsonl *j, const char *key, const char *text)
{
    fprintf(j->out, ",\"%s\":", key);
    export_json_text(j->out, text);
}

static void put_seconds(const struct jsonl *j, const char *key, int64_t ns)
{
    const uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

    fprintf(j->out, ",\"%s\":%s%" PRIu64 ".%09" PRIu64, key, ns < 0 ? "-" : "", size / NS, size % NS);
}

static void put_time(const struct jsonl *j, const char *key, int64_t time)
{
    put_seconds(j, key, export_ns(j->run, time));
}

static void put_task(const struct jsonl *j, uint32_t task)
{
    char name[NAME_SIZE];

    epoch_name_of(j->run->epoch, task, name);
    put_key(j, "task", name);
}

/* The innermost function and its line. */
static void put_code(const struct jsonl *j, const struct stack *of)
{
    const struct stacks *s = &j->run->stacks;

    fprintf(j->out, ",\"address\":\"0x%" PRIx64 "\"", of->at.pc);
    for (uint32_t n = of->depth; n-- > 1;) {
        const struct stack_frame *f = stack_frame(s, of, n);

        if (f->kind == FRAME_LINE) {
            put_key(j, "file", stack_text(s, f->file));
            fprintf(j->out, ",\"line\":%u", f->line);
        } else if (f->kind == FRAME_FUNCTION) {
            put_key(j, "function", stack_text(s, f->name));
            return;
        }
    }
}

static void put_sample(void *context, const struct resolved_sample *sample)
{
    const struct jsonl *j = context;
    const struct stack *of = stacks_find(&j->run->stacks, sample);

    fprintf(j->out, "{\"type\":\"sample\",\"number\":%" PRIu64 ",\"tick\":%" PRIu64, sample->number, sample->tick);
    if (j->timed)
        put_seconds(j, "time", (int64_t)export_sample_ns(j->run, sample));
    if (of && of->at.known) {
        put_task(j, of->at.task);
        put_key(j, "mode", mode_name(of->at.mode));
        put_code(j, of);
    }
    fputs("}\n", j->out);
}

static void put_lost(void *context, const struct sample_gap *gap)
{
    const struct jsonl *j = context;

    fprintf(j->out, "{\"type\":\"lost\",\"number\":%" PRIu64 ",\"samples\":%" PRIu64 "}\n", gap->first, gap->count);
}

static void put_state(const struct jsonl *j, const struct timeline_step *s)
{
    fputs("{\"type\":\"state\"", j->out);
    put_time(j, "time", s->begin);
    put_time(j, "length", s->length);
    if (s->monitor)
        fputs(",\"monitor\":true", j->out);
    if (!s->monitor && s->known & KNOWN_TASK)
        put_task(j, s->task);
    if (!s->monitor && s->known & KNOWN_MODE && s->mode < MODES)
        put_key(j, "mode", mode_name(s->mode));
    if (s->known & KNOWN_MASKED)
        fprintf(j->out, ",\"masked\":%s", s->masked ? "true" : "false");
    fputs("}\n", j->out);
}

static void put_event(const struct jsonl *j, const struct timeline_event *e)
{
    const char *class = e->class < TRACE_CLASSES_END ? trace_class_name(e->class) : NULL;

    fputs("{\"type\":\"event\"", j->out);
    put_time(j, "time", e->time);
    if (class)
        put_key(j, "class", class);
    if (e->known & KNOWN_TASK)
        put_task(j, e->task);
    if (e->known & KNOWN_MODE && e->mode < MODES)
        put_key(j, "mode", mode_name(e->mode));
    fprintf(j->out, ",\"argument\":%" PRIu64 "}\n", e->argument);
}

static void put_gap(const struct jsonl *j, const struct timeline_gap *g)
{
    fputs("{\"type\":\"gap\"", j->out);
    put_time(j, "time", g->begin);
    put_time(j, "end", g->end);
    put_key(j, "cause", gap_cause_text(g->cause));
    fprintf(j->out, ",\"missing\":%" PRIu64 "}\n", g->missing);
}

static void put_item(void *context, const struct timeline_item *item)
{
    switch (item->kind) {
    case TIMELINE_STEP: put_state(context, &item->step); break;
    case TIMELINE_EVENT: put_event(context, &item->event); break;
    case TIMELINE_GAP: put_gap(context, &item->gap); break;
    default: break;
    }
}

/* Records without a report of their own. */
static void put_records(const struct record_stores *s, FILE *out)
{
    for (size_t n = 0; n < s->count; n++)
        for (size_t head = 0; head < s->of[n].head.count && !s->of[n].record->reported; head++) {
            json_t *const record = plain_record_json(&s->of[n], head);

            fprintf(out, "{\"type\":\"record\",\"record\":\"%s\",\"of\":", s->of[n].record->name);
            json_dumpf(record, out, JSON_COMPACT);
            json_decref(record);
            fputs("}\n", out);
        }
}

bool export_jsonl(const struct export_run *run, FILE *out)
{
    struct jsonl j = {run, out, export_has_times(run)};
    const struct epoch_sink sink = {
        .context = &j, .on_sample = put_sample, .on_lost = put_lost,
        .on_item = export_has_items(run) ? put_item : NULL,
    };

    fputs("{\"type\":\"run\",\"name\":", out);
    export_json_text(out, run->name);
    fputs(",\"notes\":", out);
    export_json_notes(out, run, "");
    fputs("}\n", out);
    put_records(&run->epoch->kept, out);
    return epoch_pass_run(run->pass, &sink) && !ferror(out);
}
