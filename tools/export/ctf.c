/* SPDX-License-Identifier: MIT */
/*
 * A trace in the Common Trace Format (CTF 1.8, diamon.org/ctf/v1.8.3): a file of metadata, and a stream of samples,
 * one of states and one of events, each in order of time.  Losses are the events_discarded of their packets, notes
 * the environment.
 */
#include <stdlib.h>

#include "probe/trace/event_class.h"
#include "tools/base/alloc.h"
#include "tools/export/export.h"
#include "tools/timeline/epoch_pass.h"

#define MAGIC        0xc1fc1fc1u
#define PACKET_BYTES 65536u /* a packet is written when it has as much */
#define HEAD_BYTES   48u
#define BITS         8u

enum ctf_stream_id { CTF_SAMPLES, CTF_STATES, CTF_EVENTS, CTF_STREAMS };

struct ctf_stream {
    FILE *out;
    uint8_t *byte; /* of the packet that is being made, without its head */
    size_t count;
    uint64_t begin, now; /* ns; time never goes back */
    uint64_t discarded;  /* so far */
    bool failed;
};

struct ctf {
    const struct export_run *run;
    struct ctf_stream stream[CTF_STREAMS];
};

static const char *const names[CTF_STREAMS] = {"samples", "states", "events"};

static const char metadata[] =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
    "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; base = 16; } := address_t;\n"
    "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { uint32_t magic; "
    "uint32_t stream_id; }; };\n"
    "clock { name = \"board\"; description = \"since the image started\"; freq = 1000000000; };\n"
    "typealias integer { size = 64; align = 8; signed = false; map = clock.board.value; } := moment_t;\n";

/* The head of a packet is made for this: put_packet(). */
static const char stream_format[] =
    "stream { id = %u; packet.context := struct { uint64_t packet_size; uint64_t content_size; "
    "moment_t timestamp_begin; moment_t timestamp_end; uint64_t events_discarded; }; "
    "event.header := struct { uint16_t id; moment_t timestamp; }; };\n"
    "event { name = \"%s\"; id = 0; stream_id = %u; fields := struct { %s }; };\n";

static const char *const fields[CTF_STREAMS] = {
    ("uint64_t number; uint64_t tick; string task; string mode; address_t address; string function; string file; "
     "uint32_t line;"), "uint64_t length; string task; string mode; uint8_t monitor; uint8_t masked;",
    "string class; string task; string mode; uint64_t argument;",
};
static const char *const events[CTF_STREAMS] = {"sample", "state", "event"};

/* ---- bytes ---- */

static void put_number(uint8_t *to, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(number >> BITS * i);
}

static void add_number(struct ctf_stream *s, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        APPEND(s->byte, s->count, (uint8_t)(number >> BITS * i));
}

static void add_text(struct ctf_stream *s, const char *text)
{
    do
        add_number(s, (uint8_t)*text, 1);
    while (*text++);
}

static void put_packet(struct ctf_stream *s, enum ctf_stream_id id)
{
    uint8_t head[HEAD_BYTES];
    const uint64_t bits = (HEAD_BYTES + s->count) * BITS;

    put_number(&head[0], MAGIC, 4);
    put_number(&head[4], id, 4);
    put_number(&head[8], bits, 8);
    put_number(&head[16], bits, 8);
    put_number(&head[24], s->begin, 8);
    put_number(&head[32], s->now, 8);
    put_number(&head[40], s->discarded, 8);
    if (fwrite(head, 1, sizeof(head), s->out) != sizeof(head) ||
        (s->count && fwrite(s->byte, 1, s->count, s->out) != s->count))
        s->failed = true;
    s->count = 0;
}

/* The head of an event at a time. */
static struct ctf_stream *begin_event(struct ctf *c, enum ctf_stream_id id, int64_t ns)
{
    struct ctf_stream *s = &c->stream[id];

    if (ns > 0 && (uint64_t)ns > s->now)
        s->now = (uint64_t)ns;
    if (s->count > PACKET_BYTES)
        put_packet(s, id);
    if (!s->count)
        s->begin = s->now;
    add_number(s, 0, 2);
    add_number(s, s->now, 8);
    return s;
}

/* ---- what happened ---- */

static void add_task(const struct ctf *c, struct ctf_stream *s, uint32_t task, bool known)
{
    char name[NAME_SIZE] = "";

    if (known)
        epoch_name_of(c->run->epoch, task, name);
    add_text(s, name);
}

static void add_mode(struct ctf_stream *s, enum mode mode, bool known)
{
    add_text(s, known && mode < MODES ? mode_name(mode) : "");
}

static void add_code(const struct ctf *c, struct ctf_stream *s, const struct stack *of)
{
    const struct stacks *all = &c->run->stacks;
    const struct stack_frame *line = NULL, *function = NULL;

    for (uint32_t n = 1; of && n < of->depth; n++) {
        const struct stack_frame *f = stack_frame(all, of, n);

        line = f->kind == FRAME_LINE ? f : line;
        function = f->kind == FRAME_FUNCTION ? f : function;
    }
    add_text(s, function ? stack_text(all, function->name) : "");
    add_text(s, line ? stack_text(all, line->file) : "");
    add_number(s, line ? line->line : 0, 4);
}

static void put_sample(void *context, const struct resolved_sample *sample)
{
    struct ctf *c = context;
    const struct stack *of = stacks_find(&c->run->stacks, sample);
    const bool known = of && of->at.known;
    struct ctf_stream *s = begin_event(c, CTF_SAMPLES, (int64_t)export_sample_ns(c->run, sample));

    add_number(s, sample->number, 8);
    add_number(s, sample->tick, 8);
    add_task(c, s, known ? of->at.task : 0, known);
    add_mode(s, known ? of->at.mode : MODES, known);
    add_number(s, known ? of->at.pc : 0, 8);
    add_code(c, s, known ? of : NULL);
}

static void put_lost(void *context, const struct sample_gap *gap)
{
    struct ctf *c = context;

    c->stream[CTF_SAMPLES].discarded += gap->count;
}

static void put_state(struct ctf *c, const struct timeline_step *step)
{
    struct ctf_stream *s = begin_event(c, CTF_STATES, export_ns(c->run, step->begin));

    add_number(s, step->length > 0 ? (uint64_t)export_ns(c->run, step->length) : 0, 8);
    add_task(c, s, step->task, !step->monitor && step->known & KNOWN_TASK);
    add_mode(s, step->mode, !step->monitor && step->known & KNOWN_MODE);
    add_number(s, step->monitor, 1);
    add_number(s, step->known & KNOWN_MASKED && step->masked, 1);
}

static void put_event(struct ctf *c, const struct timeline_event *e)
{
    struct ctf_stream *s = begin_event(c, CTF_EVENTS, export_ns(c->run, e->time));
    const char *class = e->class < TRACE_CLASSES_END ? trace_class_name(e->class) : NULL;

    add_text(s, class ? class : "");
    add_task(c, s, e->task, e->known & KNOWN_TASK);
    add_mode(s, e->mode, e->known & KNOWN_MODE);
    add_number(s, e->argument, 8);
}

static void put_item(void *context, const struct timeline_item *item)
{
    struct ctf *c = context;

    if (item->kind == TIMELINE_STEP)
        put_state(c, &item->step);
    else if (item->kind == TIMELINE_EVENT)
        put_event(c, &item->event);
    else if (item->kind == TIMELINE_GAP)
        c->stream[epoch_has_events(c->run->epoch) ? CTF_EVENTS : CTF_STATES].discarded += item->gap.missing;
}

/* ---- files ---- */

static FILE *open_in(const char *folder, const char *name)
{
    char *path = xasprintf("%s/%s", folder, name);
    FILE *out = fopen(path, "we");

    free(path);
    return out;
}

static bool put_metadata(const struct ctf *c, const char *folder)
{
    FILE *out = open_in(folder, "metadata");
    bool written;

    if (!out)
        return false;
    fputs(metadata, out);
    fputs("env { tracer_name = \"cpuprobe\";\n", out);
    for (size_t i = 0; i < c->run->notes; i++) {
        fprintf(out, "note_%zu = ", i);
        export_json_text(out, c->run->note[i]);
        fputs(";\n", out);
    }
    fputs("};\n", out);
    for (unsigned id = 0; id < CTF_STREAMS; id++)
        fprintf(out, stream_format, id, events[id], id, fields[id]);
    written = !ferror(out);
    return !fclose(out) && written;
}

static bool open_streams(struct ctf *c, const char *folder)
{
    for (unsigned id = 0; id < CTF_STREAMS; id++) {
        c->stream[id].out = open_in(folder, names[id]);
        if (!c->stream[id].out)
            return false;
    }
    return true;
}

static bool close_streams(struct ctf *c)
{
    bool written = true;

    for (unsigned id = 0; id < CTF_STREAMS; id++) {
        struct ctf_stream *s = &c->stream[id];

        if (s->out) {
            put_packet(s, id);
            written = !fclose(s->out) && !s->failed && written;
        }
        free(s->byte);
    }
    return written;
}

bool export_ctf(const struct export_run *run, const char *folder)
{
    struct ctf c = {.run = run};
    const struct epoch_sink sink = {
        .context = &c, .on_sample = export_has_times(run) ? put_sample : NULL, .on_lost = put_lost,
        .on_item = export_has_items(run) ? put_item : NULL,
    };
    bool written = put_metadata(&c, folder) && open_streams(&c, folder) && epoch_pass_run(run->pass, &sink);

    return close_streams(&c) && written;
}
