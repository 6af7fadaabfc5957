/* SPDX-License-Identifier: MIT */
/*
 * Chrome's trace event format ("Trace Event Format", the JSON object form): a thread for each task with its states as
 * complete events, and its samples as a CPU profile, events Profile and ProfileChunk, in a thread of their own.
 * Times are microseconds; notes are metadata.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"
#include "tools/export/export.h"
#include "tools/timeline/epoch_pass.h"

#define NS_A_US       1000
#define SAMPLES_TASK  1u /* the thread of the profile */
#define THREAD_FIRST  2u /* of the first task */
#define CHUNK_SAMPLES 256u

struct chrome {
    const struct export_run *run;
    FILE *out;
    bool first;           /* nothing stands before the next event */
    struct index thread_of; /* numbers of threads by row id */
    uint32_t threads;
    struct stack_tree tree;
    uint32_t sample[CHUNK_SAMPLES];
    uint64_t time[CHUNK_SAMPLES], last; /* us */
    unsigned count;
    struct stack_turns turns;
};

static void put_us(FILE *out, int64_t ns)
{
    const uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

    fprintf(out, "%s%" PRIu64 ".%03" PRIu64, ns < 0 ? "-" : "", size / NS_A_US, size % NS_A_US);
}

static void begin_event(struct chrome *c, const char *phase, uint32_t thread)
{
    fprintf(c->out, "%s{\"ph\":\"%s\",\"pid\":1,\"tid\":%" PRIu32, c->first ? "" : ",\n", phase, thread);
    c->first = false;
}

static void put_name(struct chrome *c, const char *what, uint32_t thread, const char *name)
{
    begin_event(c, "M", thread);
    fprintf(c->out, ",\"cat\":\"__metadata\",\"ts\":0,\"name\":\"%s\",\"args\":{\"name\":", what);
    export_json_text(c->out, name);
    fputs("}}", c->out);
}

/* ---- states ---- */

/* The thread of a task, which is named when it comes first. */
static uint32_t thread_of(struct chrome *c, uint32_t task)
{
    const size_t found = index_find(&c->thread_of, task);
    char name[NAME_SIZE];

    if (found != INDEX_NONE)
        return THREAD_FIRST + (uint32_t)found;
    index_put(&c->thread_of, task, c->threads);
    epoch_name_of(c->run->epoch, task, name);
    put_name(c, "thread_name", THREAD_FIRST + c->threads, name);
    return THREAD_FIRST + c->threads++;
}

static void put_item(void *context, const struct timeline_item *item)
{
    struct chrome *c = context;
    const struct timeline_step *s = &item->step;

    if (item->kind != TIMELINE_STEP || s->length <= 0 || s->monitor || !(s->known & KNOWN_TASK))
        return;
    begin_event(c, "X", thread_of(c, s->task));
    fprintf(c->out, ",\"cat\":\"state\",\"name\":\"%s\",\"ts\":",
            s->known & KNOWN_MODE && s->mode < MODES ? mode_name(s->mode) : "mode not known");
    put_us(c->out, export_ns(c->run, s->begin));
    fputs(",\"dur\":", c->out);
    put_us(c->out, export_ns(c->run, s->length));
    fprintf(c->out, ",\"args\":{\"masked\":%s}}", s->known & KNOWN_MASKED && s->masked ? "true" : "false");
}

/* ---- samples ---- */

/* The root is number 1. */
static uint32_t node_number(uint32_t node)
{
    return node == STACK_ROOT ? 1 : node + 2;
}

static void put_node(struct chrome *c, uint32_t node)
{
    const struct stacks *s = &c->run->stacks;
    const struct stack_frame *f = &s->frame[c->tree.node[node].frame];

    fprintf(c->out, ",\n{\"id\":%" PRIu32 ",\"parent\":%" PRIu32, node_number(node),
            node_number(c->tree.node[node].parent));
    fputs(",\"callFrame\":{\"codeType\":\"JS\",\"scriptId\":\"0\",\"functionName\":", c->out);
    export_json_text(c->out, stack_text(s, f->name));
    if (f->kind == FRAME_LINE) {
        fputs(",\"url\":", c->out);
        export_json_text(c->out, stack_text(s, f->file));
        fprintf(c->out, ",\"lineNumber\":%u", f->line - 1);
    }
    fputs("}}", c->out);
}

static void begin_profile_event(struct chrome *c, const char *name, int64_t ns)
{
    begin_event(c, "P", SAMPLES_TASK);
    fprintf(c->out, ",\"cat\":\"disabled-by-default-v8.cpu_profiler\",\"name\":\"%s\",\"id\":\"0x1\",\"ts\":", name);
    put_us(c->out, ns);
    fputs(",\"args\":{\"data\":{", c->out);
}

/* The tree of all stacks, before the first sample. */
static void put_nodes(struct chrome *c)
{
    begin_profile_event(c, "Profile", 0);
    fputs("\"startTime\":0}}}", c->out);
    begin_profile_event(c, "ProfileChunk", 0);
    fputs("\"cpuProfile\":{\"nodes\":[{\"id\":1,\"callFrame\":"
          "{\"codeType\":\"other\",\"functionName\":\"(root)\",\"scriptId\":\"0\"}}", c->out);
    stack_tree_make(&c->tree, &c->run->stacks);
    for (size_t i = 0; i < c->tree.nodes; i++)
        put_node(c, (uint32_t)i);
    fputs("],\"samples\":[]},\"timeDeltas\":[]}}}", c->out);
}

static void put_chunk(struct chrome *c)
{
    begin_profile_event(c, "ProfileChunk", (int64_t)c->time[0] * NS_A_US);
    fputs("\"cpuProfile\":{\"samples\":[", c->out);
    for (unsigned i = 0; i < c->count; i++)
        fprintf(c->out, i ? ",%" PRIu32 : "%" PRIu32, c->sample[i]);
    fputs("]},\"timeDeltas\":[", c->out);
    for (unsigned i = 0; i < c->count; i++) {
        fprintf(c->out, i ? ",%" PRId64 : "%" PRId64, (int64_t)(c->time[i] - c->last));
        c->last = c->time[i];
    }
    fputs("]}}}", c->out);
    c->count = 0;
}

static void put_sample(void *context, const struct resolved_sample *sample)
{
    struct chrome *c = context;
    const struct stack *of = stack_turns_next(&c->turns, &c->run->stacks, sample);

    c->sample[c->count] = node_number(of ? c->tree.leaf[of - c->run->stacks.stack] : STACK_ROOT);
    c->time[c->count++] = export_sample_ns(c->run, sample) / NS_A_US;
    if (c->count == CHUNK_SAMPLES)
        put_chunk(c);
}

bool export_chrome(const struct export_run *run, FILE *out)
{
    struct chrome c = {.run = run, .out = out, .first = true};
    const bool timed = export_has_times(run);
    const struct epoch_sink sink = {
        .context = &c, .on_sample = timed ? put_sample : NULL, .on_item = export_has_items(run) ? put_item : NULL,
    };
    bool read;

    fputs("{\"metadata\":{\"source\":\"cpuprobe\",\"notes\":", out);
    export_json_notes(out, run, "\n");
    fputs("},\n\"traceEvents\":[\n", out);
    put_name(&c, "process_name", SAMPLES_TASK, "cpuprobe");
    put_name(&c, "thread_name", SAMPLES_TASK, "samples");
    if (timed)
        put_nodes(&c);
    read = epoch_pass_run(run->pass, &sink);
    if (c.count)
        put_chunk(&c);
    fputs("]}\n", out);
    index_free(&c.thread_of);
    stack_tree_free(&c.tree);
    stack_turns_free(&c.turns);
    return read && !ferror(out);
}
