/* SPDX-License-Identifier: MIT */
/*
 * A trace of Perfetto: a protocol buffer (github.com/google/perfetto, protos/perfetto/trace, whose field numbers
 * these are).  A thread for each task, with its modes as slices and its share as description; which of them runs as
 * scheduling of processor 0, where nobody does as [lost]; interrupts off, the tick's handler and lost samples as
 * counters; samples with interned call stacks.  Times are ns since the image started.
 */
#include <stdlib.h>

#include "probe/core/mode.h"
#include "tools/base/alloc.h"
#include "tools/export/export.h"
#include "tools/export/protobuf.h"

#define TRACE_PACKET 1u

enum packet_field {
    PACKET_FTRACE = 1, PACKET_TIME = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11, PACKET_INTERNED = 12,
    PACKET_FLAGS = 13, PACKET_DEFAULTS = 59, PACKET_TRACK = 60, PACKET_SAMPLE = 66,
};
enum track_field {
    TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5, TRACK_COUNTER = 8,
    TRACK_DESCRIPTION = 14,
};
enum process_field { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum thread_field { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum event_field { EVENT_TYPE = 9, EVENT_NAME = 10, EVENT_TRACK = 11, EVENT_VALUE = 30 };
enum event_type { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_COUNTER = 4 };
enum bundle_field { BUNDLE_CPU = 1, BUNDLE_EVENT = 2 };
enum ftrace_field { FTRACE_TIME = 1, FTRACE_PID = 2, FTRACE_SWITCH = 4 };
enum switch_field {
    SWITCH_FROM_NAME = 1, SWITCH_FROM = 2, SWITCH_FROM_PRIORITY = 3, SWITCH_FROM_STATE = 4, SWITCH_TO_NAME = 5,
    SWITCH_TO = 6, SWITCH_TO_PRIORITY = 7,
};
enum interned_field {
    INTERNED_EVENT_NAMES = 2, INTERNED_FUNCTIONS = 5, INTERNED_FRAMES = 6, INTERNED_STACKS = 7, INTERNED_PATHS = 17,
    INTERNED_SOURCES = 18, INTERNED_MAPPINGS = 19,
};
enum text_field { TEXT_ID = 1, TEXT_BYTES = 2 };
enum mapping_field { MAPPING_ID = 1, MAPPING_PATH = 7 };
enum frame_field { FRAME_ID = 1, FRAME_NAME = 2, FRAME_MAPPING = 3, FRAME_SOURCE = 5, FRAME_NUMBER = 6 };
enum stack_field { STACK_ID = 1, STACK_FRAMES = 2 };
enum defaults_field { DEFAULTS_SAMPLES = 12 };
enum sample_defaults_field { SAMPLES_TIMEBASE = 1 };
enum timebase_field { TIMEBASE_PERIOD = 1, TIMEBASE_COUNTER = 4 };
enum sample_field { SAMPLE_CPU = 1, SAMPLE_PID = 2, SAMPLE_TID = 3, SAMPLE_STACK = 4, SAMPLE_MODE = 5 };
enum cpu_mode { CPU_KERNEL = 1, CPU_USER = 2 };

#define CLOCK_OF_CPU 1u /* PerfEvents.Counter SW_CPU_CLOCK */
#define STATE_CLEAR  1u /* what was interned before is not valid */
#define STATE_NEEDED 2u
#define PID          1u
#define MAPPING      1u

/* What one sequence interned is not known in another. */
enum sequence { SEQUENCE_SAMPLES = 1, SEQUENCE_EVENTS, SEQUENCE_SWITCHES };

enum counter { COUNTER_MASKED, COUNTER_MONITOR, COUNTER_LOST, COUNTERS };

/* Numbers of tracks; those of tasks follow. */
enum track { RUN = 1, COUNTER_FIRST, LOST_TRACK = COUNTER_FIRST + COUNTERS, TASK_FIRST };

/* Numbers of threads; those of tasks follow.  Number 0 is no task in Perfetto either, and 1 the process. */
enum thread { NOBODY, LOST_THREAD = 2, THREAD_FIRST };

struct perfetto {
    const struct export_run *run;
    FILE *out;
    struct protobuf packet;
    struct index task_of; /* numbers of tasks by row id, in the order in which they came */
    size_t tasks;
    bool *stack_sent, *frame_sent, *function_sent, *source_sent;
    struct stack_turns turns;
    uint64_t now;         /* ns: time never goes back */
    uint64_t lost;        /* samples so far */
    uint64_t value[COUNTERS];
    bool slice;           /* of `task` in `mode` is open */
    uint32_t task;        /* number */
    enum mode mode;
    uint64_t thread;      /* that runs */
    char name[NAME_SIZE]; /* of it */
    int64_t end;          /* ns: of the last step */
};

static const char lost_name[] = "[lost]", nobody_name[] = "swapper"; /* as Linux calls it */

static void put_packet(struct perfetto *p, enum sequence sequence, unsigned flags)
{
    protobuf_number(&p->packet, PACKET_SEQUENCE, sequence);
    protobuf_number(&p->packet, PACKET_FLAGS, flags);
    protobuf_put(p->out, TRACE_PACKET, &p->packet);
}

static void set_now(struct perfetto *p, int64_t ns)
{
    if (ns > 0 && (uint64_t)ns > p->now)
        p->now = (uint64_t)ns;
}

static void intern(struct protobuf *to, enum interned_field field, uint64_t id, const char *text)
{
    struct protobuf message = {0};

    protobuf_number(&message, TEXT_ID, id);
    protobuf_text(&message, TEXT_BYTES, text);
    protobuf_message(to, field, &message);
}

/* ---- tracks ---- */

static struct protobuf new_track(uint64_t id)
{
    struct protobuf track = {0};

    protobuf_number(&track, TRACK_UUID, id);
    return track;
}

static void put_track(struct perfetto *p, struct protobuf *track)
{
    protobuf_message(&p->packet, PACKET_TRACK, track);
    put_packet(p, SEQUENCE_EVENTS, STATE_NEEDED);
}

static void put_run(struct perfetto *p)
{
    struct protobuf track = new_track(RUN), process = {0}, text = {0};

    for (size_t i = 0; i < p->run->notes; i++) {
        if (i)
            protobuf_varint(&text, '\n');
        for (const char *c = p->run->note[i]; *c; c++)
            protobuf_varint(&text, (unsigned char)*c);
    }
    protobuf_number(&process, PROCESS_PID, PID);
    protobuf_text(&process, PROCESS_NAME, "cpuprobe");
    protobuf_message(&track, TRACK_PROCESS, &process);
    protobuf_message(&track, TRACK_DESCRIPTION, &text);
    put_track(p, &track);
}

static void put_counter_track(struct perfetto *p, enum counter counter)
{
    static const char *const names[COUNTERS] = {
        [COUNTER_MASKED] = "interrupts off", [COUNTER_MONITOR] = "the tick's handler",
        [COUNTER_LOST] = "lost samples",
    };
    struct protobuf track = new_track(COUNTER_FIRST + counter), empty = {0};

    protobuf_text(&track, TRACK_NAME, names[counter]);
    protobuf_number(&track, TRACK_PARENT, RUN);
    protobuf_message(&track, TRACK_COUNTER, &empty);
    put_track(p, &track);
}

static void put_thread(struct perfetto *p, uint64_t track_id, uint64_t id, const char *name, const char *description)
{
    struct protobuf track = new_track(track_id), thread = {0};

    protobuf_number(&thread, THREAD_PID, PID);
    protobuf_number(&thread, THREAD_TID, id);
    protobuf_text(&thread, THREAD_NAME, name);
    protobuf_message(&track, TRACK_THREAD, &thread);
    if (description)
        protobuf_text(&track, TRACK_DESCRIPTION, description);
    put_track(p, &track);
}

/* The number of a task, whose thread is described when it comes first. */
static uint32_t task_number(struct perfetto *p, uint32_t task)
{
    const size_t found = index_find(&p->task_of, task);
    char name[NAME_SIZE], *share;

    if (found != INDEX_NONE)
        return (uint32_t)found;
    index_put(&p->task_of, task, p->tasks);
    epoch_name_of(p->run->epoch, task, name);
    share = export_share(p->run, task, MODES);
    put_thread(p, TASK_FIRST + p->tasks, THREAD_FIRST + p->tasks, name, share);
    free(share);
    return (uint32_t)p->tasks++;
}

/* ---- states ---- */

static void put_event(struct perfetto *p, enum event_type type, uint64_t track, enum event_field field, uint64_t what)
{
    struct protobuf event = {0};

    protobuf_number(&event, EVENT_TYPE, type);
    protobuf_number(&event, EVENT_TRACK, track);
    if (type != TYPE_END)
        protobuf_number(&event, field, what);
    protobuf_number(&p->packet, PACKET_TIME, p->now);
    protobuf_message(&p->packet, PACKET_EVENT, &event);
    put_packet(p, SEQUENCE_EVENTS, STATE_NEEDED);
}

static void count(struct perfetto *p, enum counter counter, uint64_t value)
{
    if (p->value[counter] == value)
        return;
    p->value[counter] = value;
    put_event(p, TYPE_COUNTER, COUNTER_FIRST + counter, EVENT_VALUE, value);
}

static void end_slice(struct perfetto *p)
{
    if (p->slice)
        put_event(p, TYPE_END, TASK_FIRST + p->task, 0, 0);
    p->slice = false;
}

/* The names of modes are interned from 1 on; MODES: not known. */
static void begin_slice(struct perfetto *p, uint32_t task, enum mode mode)
{
    if (p->slice && p->task == task && p->mode == mode)
        return;
    end_slice(p);
    put_event(p, TYPE_BEGIN, TASK_FIRST + task, EVENT_NAME, (uint64_t)mode + 1);
    p->slice = true;
    p->task = task;
    p->mode = mode;
}

static void switch_to(struct perfetto *p, uint64_t thread, const char *name)
{
    struct protobuf bundle = {0}, event = {0}, change = {0};

    if (p->thread == thread)
        return;
    protobuf_text(&change, SWITCH_FROM_NAME, p->name);
    protobuf_number(&change, SWITCH_FROM, p->thread);
    protobuf_number(&change, SWITCH_FROM_PRIORITY, 0);
    protobuf_number(&change, SWITCH_FROM_STATE, 0);
    protobuf_text(&change, SWITCH_TO_NAME, name);
    protobuf_number(&change, SWITCH_TO, thread);
    protobuf_number(&change, SWITCH_TO_PRIORITY, 0);
    protobuf_number(&event, FTRACE_TIME, p->now);
    protobuf_number(&event, FTRACE_PID, p->thread);
    protobuf_message(&event, FTRACE_SWITCH, &change);
    protobuf_number(&bundle, BUNDLE_CPU, 0);
    protobuf_message(&bundle, BUNDLE_EVENT, &event);
    protobuf_message(&p->packet, PACKET_FTRACE, &bundle);
    put_packet(p, SEQUENCE_SWITCHES, 0);
    p->thread = thread;
    snprintf(p->name, sizeof(p->name), "%s", name);
}

/* An interrupt or the tick's handler is no other thread. */
static void put_step(struct perfetto *p, const struct timeline_step *s)
{
    char name[NAME_SIZE];
    uint32_t task;

    set_now(p, export_ns(p->run, s->begin));
    count(p, COUNTER_MONITOR, s->monitor);
    count(p, COUNTER_MASKED, s->known & KNOWN_MASKED && s->masked);
    p->end = export_ns(p->run, s->begin + s->length);
    if (s->monitor || !(s->known & KNOWN_TASK)) {
        end_slice(p);
        return;
    }
    task = task_number(p, s->task);
    epoch_name_of(p->run->epoch, s->task, name);
    if (s->task == ROW_IDLE)
        switch_to(p, NOBODY, nobody_name);
    else
        switch_to(p, THREAD_FIRST + task, name);
    begin_slice(p, task, s->known & KNOWN_MODE && s->mode < MODES ? s->mode : MODES);
}

static void put_item(void *context, const struct timeline_item *item)
{
    struct perfetto *p = context;

    if (item->kind == TIMELINE_STEP)
        put_step(p, &item->step);
    if (item->kind != TIMELINE_GAP)
        return;
    set_now(p, export_ns(p->run, item->gap.begin));
    end_slice(p);
    switch_to(p, LOST_THREAD, lost_name);
}

static void put_end(void *context)
{
    struct perfetto *p = context;

    set_now(p, p->end);
    end_slice(p);
    switch_to(p, NOBODY, nobody_name);
}

/* ---- samples ---- */

static bool first_time(bool *sent)
{
    const bool first = !*sent;

    *sent = true;
    return first;
}

static void intern_frame(struct perfetto *p, struct protobuf *to, uint32_t number)
{
    const struct stacks *s = &p->run->stacks;
    const struct stack_frame *f = &s->frame[number];
    struct protobuf frame = {0};

    if (first_time(&p->function_sent[f->name]))
        intern(to, INTERNED_FUNCTIONS, f->name + 1, stack_text(s, f->name));
    protobuf_number(&frame, FRAME_ID, number + 1);
    protobuf_number(&frame, FRAME_NAME, f->name + 1);
    protobuf_number(&frame, FRAME_MAPPING, MAPPING);
    if (f->kind == FRAME_LINE) {
        if (first_time(&p->source_sent[f->file]))
            intern(to, INTERNED_SOURCES, f->file + 1, stack_text(s, f->file));
        protobuf_number(&frame, FRAME_SOURCE, f->file + 1);
        protobuf_number(&frame, FRAME_NUMBER, f->line);
    }
    protobuf_message(to, INTERNED_FRAMES, &frame);
}

static void intern_stack(struct perfetto *p, struct protobuf *to, const struct stack *of)
{
    const struct stacks *s = &p->run->stacks;
    struct protobuf stack = {0};

    protobuf_number(&stack, STACK_ID, (uint64_t)(of - s->stack) + 1);
    for (uint32_t n = 0; n < of->depth; n++) {
        const uint32_t frame = s->id[of->first + n];

        if (first_time(&p->frame_sent[frame]))
            intern_frame(p, to, frame);
        protobuf_number(&stack, STACK_FRAMES, frame + 1);
    }
    protobuf_message(to, INTERNED_STACKS, &stack);
}

static void put_sample(void *context, const struct resolved_sample *sample)
{
    struct perfetto *p = context;
    const struct stack *of = stack_turns_next(&p->turns, &p->run->stacks, sample);
    struct protobuf message = {0}, interned = {0};
    uint64_t thread, stack;

    if (!of)
        return;
    stack = (uint64_t)(of - p->run->stacks.stack);
    thread = of->at.known ? THREAD_FIRST + task_number(p, of->at.task) : LOST_THREAD;
    protobuf_number(&message, SAMPLE_CPU, 0);
    protobuf_number(&message, SAMPLE_PID, PID);
    protobuf_number(&message, SAMPLE_TID, thread);
    protobuf_number(&message, SAMPLE_STACK, stack + 1);
    if (of->at.known && of->at.mode < MODES)
        protobuf_number(&message, SAMPLE_MODE, of->at.mode == MODE_USER ? CPU_USER : CPU_KERNEL);
    if (first_time(&p->stack_sent[stack])) {
        intern_stack(p, &interned, of);
        protobuf_message(&p->packet, PACKET_INTERNED, &interned);
    }
    set_now(p, (int64_t)export_sample_ns(p->run, sample));
    protobuf_number(&p->packet, PACKET_TIME, p->now);
    protobuf_message(&p->packet, PACKET_SAMPLE, &message);
    put_packet(p, SEQUENCE_SAMPLES, STATE_NEEDED);
}

/* They are behind the sample before them. */
static void put_lost(void *context, const struct sample_gap *gap)
{
    struct perfetto *p = context;

    p->lost += gap->count;
    count(p, COUNTER_LOST, p->lost);
}

/* ---- the file ---- */

/* What samples have in common. */
static void begin_samples(struct perfetto *p)
{
    struct protobuf interned = {0}, mapping = {0}, defaults = {0}, samples = {0}, timebase = {0};

    intern(&interned, INTERNED_PATHS, 1, "cpuprobe");
    protobuf_number(&mapping, MAPPING_ID, MAPPING);
    protobuf_number(&mapping, MAPPING_PATH, 1);
    protobuf_message(&interned, INTERNED_MAPPINGS, &mapping);
    protobuf_number(&timebase, TIMEBASE_PERIOD, export_period(p->run));
    protobuf_number(&timebase, TIMEBASE_COUNTER, CLOCK_OF_CPU);
    protobuf_message(&samples, SAMPLES_TIMEBASE, &timebase);
    protobuf_message(&defaults, DEFAULTS_SAMPLES, &samples);
    protobuf_message(&p->packet, PACKET_INTERNED, &interned);
    protobuf_message(&p->packet, PACKET_DEFAULTS, &defaults);
    put_packet(p, SEQUENCE_SAMPLES, STATE_CLEAR);
}

static void begin_events(struct perfetto *p)
{
    struct protobuf interned = {0};

    for (unsigned m = 0; m <= MODES; m++)
        intern(&interned, INTERNED_EVENT_NAMES, m + 1, m < MODES ? mode_name((enum mode)m) : "mode not known");
    protobuf_message(&p->packet, PACKET_INTERNED, &interned);
    put_packet(p, SEQUENCE_EVENTS, STATE_CLEAR);
    put_run(p);
    for (unsigned c = 0; c < COUNTERS; c++)
        put_counter_track(p, (enum counter)c);
    put_thread(p, LOST_TRACK, LOST_THREAD, lost_name, NULL);
}

static bool put_all(struct perfetto *p)
{
    const bool timed = export_has_times(p->run), items = export_has_items(p->run);
    const struct epoch_sink samples = {.context = p, .on_sample = put_sample, .on_lost = put_lost};
    const struct epoch_sink states = {.context = p, .on_item = put_item, .on_end = put_end};
    bool read = true;

    begin_events(p);
    if (timed) {
        begin_samples(p);
        read = epoch_pass_run(p->run->pass, &samples);
    }
    p->now = 0;
    return read && (!items || epoch_pass_run(p->run->pass, &states));
}

bool export_perfetto(const struct export_run *run, FILE *out)
{
    const struct stacks *s = &run->stacks;
    struct perfetto p = {
        .run = run, .out = out, .stack_sent = xcalloc(s->count + 1, sizeof(bool)),
        .frame_sent = xcalloc(s->frames + 1, sizeof(bool)),
        .function_sent = xcalloc(s->texts.count + 1, sizeof(bool)),
        .source_sent = xcalloc(s->texts.count + 1, sizeof(bool)),
    };
    bool read;

    snprintf(p.name, sizeof(p.name), "%s", nobody_name);
    read = put_all(&p);
    protobuf_free(&p.packet);
    index_free(&p.task_of);
    free(p.stack_sent);
    free(p.frame_sent);
    free(p.function_sent);
    free(p.source_sent);
    stack_turns_free(&p.turns);
    return read && !ferror(out);
}
