/* SPDX-License-Identifier: MIT */
/*
 * The Firefox Profiler's processed format (github.com/firefox-devtools/profiler,
 * docs-developer/CHANGELOG-formats.md, version 61): a thread for each task with its samples, whose categories are the
 * modes, and its states and events as markers.  Each sample is one mean interval of the processor's time, which the
 * next one tells; where a task stops running stands one without a stack.  Times are ms since the image started.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "probe/trace/event_class.h"
#include "tools/base/alloc.h"
#include "tools/export/export.h"
#include "tools/export/spool.h"

#define NS_A_MS 1000000u

enum column {
    SAMPLE_STACK, SAMPLE_TIME, SAMPLE_USED, MARKER_NAME, MARKER_START, MARKER_END, MARKER_PHASE, MARKER_CATEGORY,
    MARKER_DATA, COLUMNS
};
enum phase { PHASE_INSTANT = 0, PHASE_INTERVAL = 1 };

/* Names of markers, behind the texts of the stacks; those of modes, MODES: not known, and of classes. */
enum string { STRING_LOST, STRING_GAP, STRING_MODES, STRING_CLASSES = STRING_MODES + MODES + 1,
              STRINGS = STRING_CLASSES + TRACE_CLASSES_END };

#define NOT_KNOWN ((uint64_t)1 << 32) /* in place of a row id */

struct thread {
    uint64_t task; /* row id, or NOT_KNOWN */
    uint64_t samples, markers;
    bool runs; /* its last sample has a stack */
};

struct firefox {
    const struct export_run *run;
    FILE *out;
    struct stack_tree tree;
    struct spool spool;
    struct thread *thread;
    size_t threads;
    struct index thread_of;
    size_t last;  /* thread of the last sample */
    uint64_t now; /* ns: of it */
    uint64_t period;
    int64_t first, end; /* ns: of all that is in the file; first > end: nothing */
    struct stack_turns turns;
};

/* ---- what threads have ---- */

/* The number of a thread. */
static size_t thread_of(struct firefox *f, uint64_t task)
{
    const struct thread fresh = {.task = task},
                        *const found = INDEX_ROW(&f->thread_of, task, f->thread, f->threads, &fresh);

    return (size_t)(found - f->thread);
}

#define MS          "%s%" PRIu64 ".%06" PRIu64
#define MS_OF(ns)   (ns) < 0 ? "-" : "", size_of(ns) / NS_A_MS, size_of(ns) % NS_A_MS

static uint64_t size_of(int64_t ns)
{
    return ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
}

static void put_ns(struct firefox *f, size_t thread, enum column column, int64_t ns)
{
    f->first = ns < f->first ? ns : f->first;
    f->end = ns > f->end ? ns : f->end;
    spool_put(&f->spool, thread * COLUMNS + column, MS, MS_OF(ns));
}

#define PUT(f, thread, column, ...) spool_put(&(f)->spool, (thread) * COLUMNS + (column), __VA_ARGS__)

static void add_sample(struct firefox *f, size_t thread, uint32_t node)
{
    const bool has_stack = node != STACK_ROOT;

    if (has_stack)
        PUT(f, thread, SAMPLE_STACK, "%" PRIu32, node);
    else
        PUT(f, thread, SAMPLE_STACK, "null");
    put_ns(f, thread, SAMPLE_TIME, (int64_t)f->now);
    PUT(f, thread, SAMPLE_USED, "%" PRIu64, f->thread[thread].runs ? f->period : 0);
    f->thread[thread].samples++;
    f->thread[thread].runs = has_stack;
}

static void put_sample(void *context, const struct resolved_sample *sample)
{
    struct firefox *f = context;
    const struct stack *of = stack_turns_next(&f->turns, &f->run->stacks, sample);
    const size_t before = f->last;

    if (!of)
        return;
    f->now = export_sample_ns(f->run, sample);
    f->last = thread_of(f, of->at.known ? of->at.task : NOT_KNOWN);
    if (before != SIZE_MAX && before != f->last)
        add_sample(f, before, STACK_ROOT);
    add_sample(f, f->last, f->tree.leaf[of - f->run->stacks.stack]);
}

static void put_end(void *context)
{
    struct firefox *f = context;

    f->now += f->period;
    if (f->last != SIZE_MAX)
        add_sample(f, f->last, STACK_ROOT);
}

/* Category 0 is that of what has no mode. */
static unsigned category_of(enum mode mode, bool known)
{
    return known && mode < MODES ? 1 + (unsigned)mode : 0;
}

/* A marker at `begin`, up to `end` if its phase has one; its data are for the caller to put. */
static void add_marker(struct firefox *f, size_t thread, unsigned name, enum phase phase, int64_t begin, int64_t end)
{
    PUT(f, thread, MARKER_NAME, "%zu", f->run->stacks.texts.count + name);
    put_ns(f, thread, MARKER_START, begin);
    if (phase == PHASE_INTERVAL)
        put_ns(f, thread, MARKER_END, end);
    else
        PUT(f, thread, MARKER_END, "null");
    PUT(f, thread, MARKER_PHASE, "%d", phase);
    f->thread[thread].markers++;
}

/* They stand behind the sample before them. */
static void put_lost(void *context, const struct sample_gap *gap)
{
    struct firefox *f = context;
    const size_t thread = thread_of(f, NOT_KNOWN);

    add_marker(f, thread, STRING_LOST, PHASE_INSTANT, (int64_t)f->now, 0);
    PUT(f, thread, MARKER_CATEGORY, "0");
    PUT(f, thread, MARKER_DATA, "{\"type\":\"lost\",\"count\":\"%" PRIu64 "\"}", gap->count);
}

static void put_step(struct firefox *f, const struct timeline_step *s)
{
    const unsigned category = category_of(s->mode, s->known & KNOWN_MODE);
    size_t thread;

    if (s->length <= 0 || s->monitor || !(s->known & KNOWN_TASK))
        return;
    thread = thread_of(f, s->task);
    add_marker(f, thread, STRING_MODES + (category ? category - 1 : MODES), PHASE_INTERVAL,
               export_ns(f->run, s->begin), export_ns(f->run, s->begin + s->length));
    PUT(f, thread, MARKER_CATEGORY, "%u", category);
    PUT(f, thread, MARKER_DATA, "{\"type\":\"state\"%s}", !(s->known & KNOWN_MASKED) ? "" :
        s->masked ? ",\"interrupts\":\"off\"" : ",\"interrupts\":\"on\"");
}

static void put_event(struct firefox *f, const struct timeline_event *e)
{
    const size_t thread = thread_of(f, e->known & KNOWN_TASK ? e->task : NOT_KNOWN);
    const int64_t time = export_ns(f->run, e->time);

    add_marker(f, thread, STRING_CLASSES + (e->class < TRACE_CLASSES_END ? e->class : 0), PHASE_INSTANT, time, time);
    PUT(f, thread, MARKER_CATEGORY, "%u", category_of(e->mode, e->known & KNOWN_MODE));
    PUT(f, thread, MARKER_DATA, "{\"type\":\"event\",\"argument\":\"0x%" PRIx64 "\"}", e->argument);
}

static void put_gap(struct firefox *f, const struct timeline_gap *g)
{
    const size_t thread = thread_of(f, NOT_KNOWN);

    add_marker(f, thread, STRING_GAP, PHASE_INTERVAL, export_ns(f->run, g->begin), export_ns(f->run, g->end));
    PUT(f, thread, MARKER_CATEGORY, "0");
    PUT(f, thread, MARKER_DATA, "{\"type\":\"lost\",\"count\":\"%" PRIu64 "\",\"cause\":\"%s\"}", g->missing,
        gap_cause_text(g->cause));
}

static void put_item(void *context, const struct timeline_item *item)
{
    if (item->kind == TIMELINE_STEP)
        put_step(context, &item->step);
    else if (item->kind == TIMELINE_EVENT)
        put_event(context, &item->event);
    else if (item->kind == TIMELINE_GAP)
        put_gap(context, &item->gap);
}

/* ---- what all threads share ---- */

static void put_same(FILE *out, const char *name, const char *value, size_t count)
{
    fprintf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < count; i++)
        fprintf(out, i ? ",%s" : "%s", value);
    putc(']', out);
}

typedef void value_writer(const struct firefox *f, size_t i);

static void put_each(const struct firefox *f, const char *name, size_t count, value_writer *put)
{
    fprintf(f->out, ",\n\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        if (i)
            putc(',', f->out);
        put(f, i);
    }
    putc(']', f->out);
}

static void put_number(const struct firefox *f, size_t i)
{
    fprintf(f->out, "%zu", i);
}

static void put_node_frame(const struct firefox *f, size_t i)
{
    fprintf(f->out, "%" PRIu32, f->tree.node[i].frame);
}

static void put_node_parent(const struct firefox *f, size_t i)
{
    if (f->tree.node[i].parent == STACK_ROOT)
        fputs("null", f->out);
    else
        fprintf(f->out, "%" PRIu32, f->tree.node[i].parent);
}

/* What stands within a mode inherits its category. */
static void put_frame_category(const struct firefox *f, size_t i)
{
    const struct stack_frame *frame = &f->run->stacks.frame[i];
    unsigned mode = 0;

    while (mode < MODES && strcmp(mode_name((enum mode)mode), stack_text(&f->run->stacks, frame->name)))
        mode++;
    if (frame->kind == FRAME_MODE)
        fprintf(f->out, "%u", category_of((enum mode)mode, true));
    else
        fputs(frame->kind == FRAME_TASK ? "0" : "null", f->out);
}

static void put_frame_line(const struct firefox *f, size_t i)
{
    const struct stack_frame *frame = &f->run->stacks.frame[i];

    if (frame->kind == FRAME_LINE)
        fprintf(f->out, "%u", frame->line);
    else
        fputs("null", f->out);
}

static void put_frame_name(const struct firefox *f, size_t i)
{
    fprintf(f->out, "%" PRIu32, f->run->stacks.frame[i].name);
}

/* Each frame that has a line has a source of its own. */
static void put_frame_source(const struct firefox *f, size_t i)
{
    fputs(f->run->stacks.frame[i].kind == FRAME_LINE ? "" : "null", f->out);
    if (f->run->stacks.frame[i].kind == FRAME_LINE)
        put_number(f, i);
}

static void put_source_name(const struct firefox *f, size_t i)
{
    fprintf(f->out, "%" PRIu32, f->run->stacks.frame[i].file);
}

static const char *marker_name(unsigned string)
{
    const char *name;

    if (string < STRING_MODES)
        return string == STRING_LOST ? "samples lost" : "lost";
    if (string < STRING_CLASSES)
        return string == STRING_MODES + MODES ? "mode not known" : mode_name((enum mode)(string - STRING_MODES));
    name = trace_class_name(string - STRING_CLASSES);
    return name ? name : "event";
}

static void put_string(const struct firefox *f, size_t i)
{
    const struct stacks *s = &f->run->stacks;

    export_json_text(f->out, i < s->texts.count ? s->texts.text[i] : marker_name((unsigned)(i - s->texts.count)));
}

static void put_shared(const struct firefox *f)
{
    const size_t frames = f->run->stacks.frames, nodes = f->tree.nodes;
    FILE *const out = f->out;

    fprintf(out, "{\"libs\":[],\"pages\":[],\"shared\":{\n\"stackTable\":{\"length\":%zu", nodes);
    put_each(f, "frame", nodes, put_node_frame);
    put_each(f, "prefix", nodes, put_node_parent);
    fprintf(out, "},\n\"frameTable\":{\"length\":%zu", frames);
    put_each(f, "func", frames, put_number);
    put_each(f, "category", frames, put_frame_category);
    put_each(f, "line", frames, put_frame_line);
    put_same(out, "address", "-1", frames);
    put_same(out, "inlineDepth", "0", frames);
    put_same(out, "subcategory", "0", frames);
    put_same(out, "nativeSymbol", "null", frames);
    put_same(out, "innerWindowID", "0", frames);
    put_same(out, "column", "null", frames);
    fprintf(out, "},\n\"funcTable\":{\"length\":%zu", frames);
    put_each(f, "name", frames, put_frame_name);
    put_each(f, "source", frames, put_frame_source);
    put_same(out, "isJS", "false", frames);
    put_same(out, "relevantForJS", "false", frames);
    put_same(out, "resource", "-1", frames);
    put_same(out, "lineNumber", "null", frames);
    put_same(out, "columnNumber", "null", frames);
    fprintf(out, "},\n\"sources\":{\"length\":%zu", frames);
    put_each(f, "filename", frames, put_source_name);
    put_same(out, "id", "null", frames);
    put_same(out, "startLine", "1", frames);
    put_same(out, "startColumn", "1", frames);
    put_same(out, "sourceMapURL", "null", frames);
    fputs("},\n\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],\"type\":[]},\n"
          "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[]}", out);
    put_each(f, "stringArray", f->run->stacks.texts.count + STRINGS, put_string);
    fputs("},\n", out);
}

/* ---- the file ---- */

#define DISPLAY "\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"

static const char schema[] =
    "\"markerSchema\":[\n"
    "{\"name\":\"state\"," DISPLAY "\"chartLabel\":\"{marker.name}\",\"fields\":["
    "{\"key\":\"interrupts\",\"label\":\"Interrupts\",\"format\":\"string\"}]},\n"
    "{\"name\":\"event\"," DISPLAY "\"tableLabel\":\"{marker.name} {marker.data.argument}\",\"fields\":["
    "{\"key\":\"argument\",\"label\":\"Argument\",\"format\":\"string\"}]},\n"
    "{\"name\":\"lost\"," DISPLAY "\"tableLabel\":\"{marker.name} {marker.data.count}\",\"fields\":["
    "{\"key\":\"count\",\"label\":\"Count\",\"format\":\"string\"},"
    "{\"key\":\"cause\",\"label\":\"Cause\",\"format\":\"string\"}]}],\n";

static void put_categories(FILE *out)
{
    static const char *const colours[MODES] = {"blue", "green", "orange", "red"};

    fputs("\"categories\":[{\"name\":\"no mode\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}", out);
    for (unsigned m = 0; m < MODES; m++)
        fprintf(out, ",{\"name\":\"%s\",\"color\":\"%s\",\"subcategories\":[\"Other\"]}", mode_name((enum mode)m),
                colours[m]);
    fputs("],\n", out);
}

static void put_meta(const struct firefox *f)
{
    const struct export_run *run = f->run;

    fputs("\"meta\":{\"version\":31,\"preprocessedProfileVersion\":61,\"product\":\"cpuprobe\",\"startTime\":0,"
          "\"processType\":0,\"stackwalk\":1,\"debug\":false,\"symbolicated\":true,"
          "\"symbolicationNotSupported\":true,\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,\n"
          "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},\n", f->out);
    fprintf(f->out, "\"interval\":" MS, MS_OF((int64_t)f->period));
    if (f->first < f->end)
        fprintf(f->out, ",\"profilingStartTime\":" MS ",\"profilingEndTime\":" MS, MS_OF(f->first), MS_OF(f->end));
    fputs(",\n", f->out);
    put_categories(f->out);
    fputs(schema, f->out);
    fputs("\"extra\":[{\"label\":\"cpuprobe\",\"entries\":[", f->out);
    for (size_t i = 0; i < run->notes; i++) {
        fprintf(f->out, "%s{\"label\":\"%zu\",\"format\":\"string\",\"value\":", i ? ",\n" : "\n", i + 1);
        export_json_text(f->out, run->note[i]);
        putc('}', f->out);
    }
    fputs("]}]}}\n", f->out);
}

static bool put_column(struct firefox *f, size_t thread, const char *name, enum column column)
{
    bool copied;

    fprintf(f->out, ",\n\"%s\":[", name);
    copied = spool_copy(&f->spool, thread * COLUMNS + column, f->out);
    putc(']', f->out);
    return copied;
}

static bool put_thread(struct firefox *f, size_t i)
{
    const struct thread *const t = &f->thread[i];
    char name[NAME_SIZE] = "[not known]";
    bool copied;

    if (t->task != NOT_KNOWN)
        epoch_name_of(f->run->epoch, (uint32_t)t->task, name);
    fputs(i ? ",\n{\"name\":" : "{\"name\":", f->out);
    export_json_text(f->out, name);
    fprintf(f->out, ",\"isMainThread\":false,\"processType\":\"default\",\"processName\":\"cpuprobe\",\"pid\":\"1\","
            "\"tid\":%" PRIu64 ",\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,"
            "\"unregisterTime\":null,\"pausedRanges\":[],\"showMarkersInTimeline\":true,\n\"samples\":{\"length\":%"
            PRIu64 ",\"weight\":null,\"weightType\":\"samples\"", t->task, t->samples);
    copied = put_column(f, i, "stack", SAMPLE_STACK) && put_column(f, i, "time", SAMPLE_TIME) &&
             put_column(f, i, "threadCPUDelta", SAMPLE_USED);
    fprintf(f->out, "},\n\"markers\":{\"length\":%" PRIu64, t->markers);
    copied = copied && put_column(f, i, "name", MARKER_NAME) && put_column(f, i, "startTime", MARKER_START) &&
             put_column(f, i, "endTime", MARKER_END) && put_column(f, i, "phase", MARKER_PHASE) &&
             put_column(f, i, "category", MARKER_CATEGORY) && put_column(f, i, "data", MARKER_DATA);
    fputs("}}", f->out);
    return copied;
}

static bool put_threads(struct firefox *f)
{
    const bool timed = export_has_times(f->run), items = export_has_items(f->run);
    const struct epoch_sink sink = {.context = f, .on_sample = timed ? put_sample : NULL,
                                    .on_lost = timed ? put_lost : NULL, .on_item = items ? put_item : NULL,
                                    .on_end = put_end};
    bool read = epoch_pass_run(f->run->pass, &sink);

    fputs("\"threads\":[\n", f->out);
    for (size_t i = 0; read && i < f->threads; i++)
        read = put_thread(f, i);
    fputs("],\n", f->out);
    return read;
}

bool export_firefox(const struct export_run *run, FILE *out)
{
    struct firefox f = {.run = run, .out = out, .period = export_period(run), .last = SIZE_MAX,
                        .first = INT64_MAX, .end = INT64_MIN};
    bool written;

    stack_tree_make(&f.tree, &run->stacks);
    put_shared(&f);
    written = put_threads(&f);
    put_meta(&f);
    stack_tree_free(&f.tree);
    spool_free(&f.spool);
    free(f.thread);
    index_free(&f.thread_of);
    stack_turns_free(&f.turns);
    return written && !ferror(out);
}
