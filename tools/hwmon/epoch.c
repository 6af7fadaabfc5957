/* SPDX-License-Identifier: MIT */
/* Writes an epoch. */
#include "tools/hwmon/epoch.h"

#include <inttypes.h>
#include <string.h>

#include "probe/stats/snapshot_frames.h"
#include "probe/stream/record_frames.h"
#include "probe/stream/version.h"

#define CLOCK_HZ     1000000000u /* a clock unit is a nanosecond */
#define SOURCE_MHZ   1000000000000u
#define SOURCE_CLOCK 65536u /* a count is a clock unit */

static struct wire_text text(const char *t)
{
    return (struct wire_text){ t, strlen(t) };
}

static void send_hello(struct epoch_writer *e)
{
    char line[CONFIG_LINE];
    struct text_buf words = TEXT_BUF(line);

    options_put_told(&words, e->options);
    buf_text(&words, " identity=task monitor=system,samples stamp=us seconds=0 output=frames");
    stream_send_head(e->stream, WIRE_HELLO, &(struct wire_hello){
        .major = WIRE_MAJOR, .minor = WIRE_MINOR, .epoch = e->id, .build = text(e->build), .words = text(line),
        .clock_hz = CLOCK_HZ, .source_hz = SOURCE_MHZ, .source_clock = SOURCE_CLOCK,
        .mean = ((uint64_t)CLOCK_HZ << 16) / e->options->rate, .minimum = 1, .seed = e->options->seed,
        .source = text("virtual time"), .door = text("hwmon"), .machine = text("QEMU, observed from outside"),
        .line = text("file"), .stamp = 1000, .thin = 1, .version = text(CPUPROBE_VERSION), .now = e->window.begin,
    });
}

static void send_frame(void *stream, struct wire_writer *frame)
{
    stream_send(stream, frame);
}

static void begin(struct epoch_writer *e, const struct sampler *s)
{
    struct sample_encoder_request request = {
        .setting = { .source_clock = SOURCE_CLOCK, .stamp = 1000, .thin = 1, .seed = e->options->seed },
        .epoch = ++e->id, .send = send_frame, .context = e->stream,
    };

    schedule_init(&request.setting.schedule, &s->request);
    sample_encoder_begin(&e->encoder, &request);
    event_encoder_begin(&e->event_encoder, &(struct event_encoder_request){
        .epoch = e->id, .unit = e->unit, .send = send_frame, .context = e->stream,
    }, trace_task((uint32_t)e->running, 0));
    e->changes = 0;
    send_hello(e);
    e->snapshot.serial = 0;
    e->begun = true;
}

static void add_tasks(struct snapshot *s, const struct task_table *tasks)
{
    for (unsigned i = 0; i < tasks->count; i++) {
        struct snapshot_row *row = snapshot_row(s, tasks->task[i].id);

        if (row == NULL)
            continue;
        memcpy(row->name, tasks->task[i].name, NAME_SIZE);
        memcpy(row->time, tasks->task[i].time, sizeof row->time);
    }
}

static void add_hits(struct snapshot *s, const struct sampler_state *from)
{
    struct snapshot_row *idle;

    for (unsigned i = 0; i < SYSTEM_RECORDS; i++)
        if (from->hits.record[i].key != 0)
            snapshot_add_record(s, &from->hits.record[i]);
    snapshot_add_total(s, ROW_LOST, "LOST", &from->hits.lost);
    s->ticks = s->samples = from->ticks;
    s->lost_table = from->hits.lost.hits[MODES];
    s->first = from->first;
    s->generator = from->generator;
    s->intervals = from->intervals;
    memcpy(s->mode_changes, from->hits.mode_changes, sizeof s->mode_changes);
    idle = snapshot_row(s, ROW_IDLE);
    if (idle != NULL)
        memcpy(idle->name, "IDLE", sizeof "IDLE");
}

static uint32_t no_program(void *stream, uint32_t id)
{
    (void)stream;
    (void)id;
    return 0;
}

static void send_snapshot(struct epoch_writer *e)
{
    struct wire_writer frame;

    e->snapshot.serial++;
    snapshot_send(&e->snapshot, &(struct snapshot_sender){
        .epoch = e->id, .program_of = no_program, .send = send_frame, .context = e->stream, .frame = &frame,
    });
    stream_send_counts(e->stream, e->id);
}

static void make_snapshot(struct epoch_writer *e, const struct task_table *tasks, const struct sampler *s)
{
    const uint64_t serial = e->snapshot.serial;

    memset(&e->snapshot, 0, sizeof e->snapshot);
    e->snapshot.serial = serial;
    e->snapshot.begin = e->window.begin;
    e->snapshot.end = e->snapshot.made = e->window.end;
    e->snapshot.monitor = e->window.monitor;
    e->snapshot.transitions = e->window.changes;
    e->snapshot.exact = true;
    add_tasks(&e->snapshot, tasks);
    add_hits(&e->snapshot, &s->state);
}

/* ---- what was recorded ---- */

static void send_samples(struct epoch_writer *e, struct sampler *s)
{
    for (size_t i = 0; i < s->count; i++)
        sample_encoder_put(&e->encoder, &s->kept[i]);
    sample_encoder_flush(&e->encoder);
    s->count = 0;
}

static void send_changes(struct epoch_writer *e, struct change_log *log)
{
    struct wire_transitions head = { .epoch = e->id };
    struct wire_writer frame;
    struct record_frames frames = { .send = send_frame, .context = e->stream, .frame = &frame };

    record_frames_begin(&frames, WIRE_TRANSITIONS, &head);
    for (size_t i = 0; i < log->count; i++) {
        head.first = e->changes++;
        record_frames_put(&frames, &(struct wire_transitions_row){
            log->kept[i].cell, wire_zigzag((int64_t)log->kept[i].time) });
    }
    record_frames_end(&frames, false);
    log->count = 0;
}

static void send_counts(struct epoch_writer *e, const struct event_monitor *m)
{
    struct wire_writer frame;

    wire_begin(&frame, WIRE_EVENT_COUNTS, &(struct wire_event_counts){
        .epoch = e->id, .time = e->window.end, .recorded = e->event_encoder.number,
        .lost = m->lost, .lost_time = m->lost_time,
    });
    for (unsigned class = 0; class < TRACE_CLASSES_END; class++)
        if (m->counts[class] != 0)
            wire_row(&frame, WIRE_EVENT_COUNTS, &(struct wire_event_counts_row){ class, m->counts[class] });
    stream_send(e->stream, &frame);
}

static void send_events(struct epoch_writer *e, struct event_monitor *m)
{
    if (!m->on)
        return;
    for (size_t i = 0; i < m->count; i++)
        event_encoder_put(&e->event_encoder, &m->kept[i]);
    event_encoder_lost(&e->event_encoder, m->lost - m->untold, m->lost_time);
    event_encoder_flush(&e->event_encoder);
    event_monitor_sent(m);
    send_counts(e, m);
}

/* The paper's idle counters: time in HLT, and all of it. */
static void send_idle(struct epoch_writer *e)
{
    stream_send_head(e->stream, WIRE_IDLE, &(struct wire_idle){
        .epoch = e->id, .serial = e->snapshot.serial, .begin = e->window.begin, .end = e->window.end,
        .idle = e->window.halted, .halts = e->window.halts,
    });
}

void epoch_close(struct epoch_writer *e, const struct window *w, const struct recorded *from)
{
    e->window = *w;
    if (!e->begun)
        begin(e, from->sampler);
    send_samples(e, from->sampler);
    send_changes(e, from->log);
    send_events(e, from->events);
    make_snapshot(e, from->tasks, from->sampler);
    send_snapshot(e);
    send_idle(e);
}

/* ---- the end ---- */

static void send_logged(struct epoch_writer *e, const struct task_table *tasks)
{
    struct wire_writer frame;

    wire_begin(&frame, WIRE_LOGGED, &(struct wire_logged){ .epoch = e->id, .transitions = e->changes });
    for (unsigned i = 0; i < tasks->count; i++)
        wire_row(&frame, WIRE_LOGGED, &(struct wire_logged_row){ i, tasks->task[i].id });
    stream_send(e->stream, &frame);
}

static void health(struct epoch_writer *e, const char *name, const char *value)
{
    struct wire_writer frame;

    wire_begin(&frame, WIRE_HEALTH, &(struct wire_health){ .epoch = e->id });
    wire_row(&frame, WIRE_HEALTH, &(struct wire_health_row){ text(name), text(value) });
    stream_send(e->stream, &frame);
}

static void send_health(struct epoch_writer *e, const struct event_monitor *events)
{
    char name[32], value[128];

    snprintf(value, sizeof value, "%" PRIu64 " in the window", e->window.executed);
    health(e, "instructions", value);
    for (const struct event_point *p = events->point; p < events->point + events->points; p++) {
        snprintf(name, sizeof name, "event %u", (unsigned)(p - events->point));
        snprintf(value, sizeof value, "%.80s: %" PRIu64 " times", p->text, p->times);
        health(e, name, value);
    }
    if (e->missing[0] != '\0')
        health(e, "not measured", e->missing);
}

void epoch_end(struct epoch_writer *e, const struct recorded *from)
{
    if (!e->begun)
        return;
    sample_encoder_end(&e->encoder, e->snapshot.ticks);
    if (from->events->on)
        event_encoder_end(&e->event_encoder);
    if (e->options->account == OPTION_ACCOUNT_LOG)
        send_logged(e, from->tasks);
    e->snapshot.final = true;
    send_snapshot(e);
    send_idle(e);
    send_health(e, from->events);
    stream_send_counts(e->stream, e->id);
    stream_send_head(e->stream, WIRE_END, &(struct wire_end){ .epoch = e->id,
                                                              .reason = text("the machine has stopped") });
    /* after END another epoch counts its frames from 0 (docs/PROTOCOL.md) */
    e->stream->sent = (struct wire_sent){ .epoch = 0 };
    e->begun = false;
}
