/* SPDX-License-Identifier: MIT */
/*
 * JSON lines: an object a line.  First the run with its notes, then records without a report of their own, then
 * samples, what is lost between them, states, events and gaps in the order of `time`, at one time events before
 * states before samples.  Times are seconds since the image started.
 *
 * Samples are read before items, and wait for these in a temporary file.  A state is known when it has ended, so that
 * the events within it wait in memory: where there are more than HELD, the first half is written before it.  Samples
 * without times stand before all items.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "probe/trace/event_class.h"
#include "probe/trace/machine_state.h"
#include "tools/base/cli.h"
#include "tools/base/temporary.h"
#include "tools/export/export.h"
#include "tools/records/plain_report.h"
#include "tools/records/record_store.h"
#include "tools/timeline/epoch_pass.h"

#define NS 1000000000
#define HELD 4096

struct jsonl {
    const struct export_run *run;
    FILE *file;     /* what is exported */
    FILE *out;      /* where lines go: `waiting` until the first item */
    bool timed;
    FILE *waiting;  /* samples, each line behind its time, ns; NULL: they do not wait */
    bool cut;       /* not all of them could be written there */
    char *line;     /* the next of them, after begin_items(), and where its object begins; NULL: there is none */
    const char *object;
    size_t room;
    int64_t at;     /* time of the sample read or written last, ns */
    unsigned held;
    struct timeline_event event[HELD];
};

static void put_key(const struct jsonl *j, const char *key, const char *text)
{
    fprintf(j->out, ",\"%s\":", key);
    export_json_text(j->out, text);
}

static void put_count(const struct jsonl *j, const char *key, uint64_t n)
{
    fprintf(j->out, ",\"%s\":", key);
    export_json_count(j->out, n);
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

static void put_wait(const struct jsonl *j)
{
    if (j->waiting)
        fprintf(j->out, "%" PRId64 " ", j->at);
}

static void put_sample(void *context, const struct resolved_sample *sample)
{
    struct jsonl *j = context;
    const struct stack *of = stacks_find(&j->run->stacks, sample);

    j->at = (int64_t)export_sample_ns(j->run, sample);
    put_wait(j);
    fputs("{\"type\":\"sample\"", j->out);
    put_count(j, "number", sample->number);
    put_count(j, "tick", sample->tick);
    if (j->timed)
        put_seconds(j, "time", j->at);
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

    put_wait(j);
    fputs("{\"type\":\"lost\"", j->out);
    put_count(j, "number", gap->first);
    put_count(j, "samples", gap->count);
    fputs("}\n", j->out);
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
    put_count(j, "argument", e->argument);
    fputs("}\n", j->out);
}

static void put_gap(const struct jsonl *j, const struct timeline_gap *g)
{
    fputs("{\"type\":\"gap\"", j->out);
    put_time(j, "time", g->begin);
    put_time(j, "end", g->end);
    put_key(j, "cause", gap_cause_text(g->cause));
    put_count(j, "missing", g->missing);
    fputs("}\n", j->out);
}

/* ---- the order ---- */

static void read_waiting(struct jsonl *j)
{
    char *end;

    j->object = NULL;
    if (getline(&j->line, &j->room, j->waiting) < 0)
        return;
    j->at = strtoll(j->line, &end, 10);
    j->object = end + 1;
}

/* From here on lines go to `out`. */
static void begin_items(struct jsonl *j, FILE *out)
{
    if (!j->waiting || j->out == out)
        return;
    j->out = out;
    j->cut = fflush(j->waiting) || ferror(j->waiting); /* which rewind() forgets */
    if (j->cut) {
        cli_error("a temporary file cannot be written: %s", strerror(errno));
        return;
    }
    rewind(j->waiting);
    read_waiting(j);
}

static void release_samples(struct jsonl *j, int64_t before)
{
    while (j->object && j->at < before) {
        fputs(j->object, j->out);
        read_waiting(j);
    }
}

/* Write the first `count` of the events that wait, with the samples before each. */
static void put_events(struct jsonl *j, unsigned count)
{
    for (unsigned n = 0; n < count; n++) {
        release_samples(j, export_ns(j->run, j->event[n].time));
        put_event(j, &j->event[n]);
    }
    j->held -= count;
    if (count)
        memmove(j->event, j->event + count, j->held * sizeof(j->event[0]));
}

/* Write the events up to `time`, clock units, and the samples before it. */
static void release(struct jsonl *j, int64_t time)
{
    unsigned count = 0;

    while (count < j->held && j->event[count].time <= time)
        count++;
    put_events(j, count);
    release_samples(j, export_ns(j->run, time));
}

static void hold(struct jsonl *j, const struct timeline_event *e)
{
    if (j->held == HELD)
        put_events(j, HELD / 2);
    j->event[j->held++] = *e;
}

static void put_item(void *context, const struct timeline_item *item)
{
    struct jsonl *j = context;

    begin_items(j, j->file);
    if (item->kind == TIMELINE_EVENT) {
        hold(j, &item->event);
    } else if (item->kind == TIMELINE_STEP) {
        release(j, item->step.begin);
        put_state(j, &item->step);
    } else if (item->kind == TIMELINE_GAP) {
        release(j, item->gap.begin);
        put_gap(j, &item->gap);
    }
}

static void put_rest(void *context)
{
    struct jsonl *j = context;

    begin_items(j, j->file);
    put_events(j, j->held);
    release_samples(j, INT64_MAX);
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
    static struct jsonl j; /* too large for a stack */
    const bool items = export_has_items(run);
    const struct epoch_sink sink = {
        .context = &j, .on_sample = put_sample, .on_lost = put_lost, .on_item = items ? put_item : NULL,
        .on_end = put_rest,
    };
    bool well;

    j = (struct jsonl){.run = run, .file = out, .out = out, .timed = export_has_times(run)};
    fputs("{\"type\":\"run\",\"name\":", out);
    export_json_text(out, run->name);
    fputs(",\"notes\":", out);
    export_json_notes(out, run, "");
    fputs("}\n", out);
    put_records(&run->epoch->kept, out);
    if (items && j.timed) {
        j.out = j.waiting = temporary_file();
        if (!j.waiting) {
            cli_error("a temporary file cannot be written: %s", strerror(errno));
            return false;
        }
    }
    well = epoch_pass_run(run->pass, &sink) && !ferror(out) && !j.cut &&
           !(j.waiting && ferror(j.waiting));
    if (j.waiting)
        fclose(j.waiting);
    free(j.line);
    return well;
}
