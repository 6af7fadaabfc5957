/* SPDX-License-Identifier: MIT */
/* Finds the monitors of streams, and holds their shares against the truth. */
#include "tools/analysis/monitor_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/trace/event_class.h"
#include "tools/analysis/report.h"
#include "tools/base/alloc.h"
#include "tools/samples/entropy.h"
#include "tools/stream/stream_reader.h"
#include "tools/timeline/epoch_pass.h"

/* ---- rows ---- */

static struct compare_row *row_named(struct compare_monitor *m, const char *name)
{
    struct compare_row *row = (struct compare_row *)compare_row(m, name);

    if (row)
        return row;
    GROW(m->row, m->rows);
    row = &m->row[m->rows++];
    memset(row, 0, sizeof(*row));
    memcpy(row->name, name, strnlen(name, NAME_SIZE - 1));
    return row;
}

const struct compare_row *compare_row(const struct compare_monitor *m, const char *name)
{
    for (size_t i = 0; i < m->rows; i++)
        if (!strcmp(m->row[i].name, name))
            return &m->row[i];
    return NULL;
}

double compare_mode(const struct compare_monitor *m, enum mode mode)
{
    double sum = 0.0;

    for (size_t i = 0; i < m->rows; i++)
        sum += m->row[i].percent[mode];
    return m->modes ? sum : NAN;
}

const struct compare_row *compare_busiest(const struct compare_monitor *m)
{
    const struct compare_row *best = NULL;

    for (size_t i = 0; m->tasks && i < m->rows; i++)
        if (strcmp(m->row[i].name, "IDLE") != 0 && (!best || m->row[i].total > best->total))
            best = &m->row[i];
    return best;
}

static void add_time(struct compare_monitor *m, const char *name, enum mode mode, double time)
{
    struct compare_row *row = row_named(m, name);

    row->total += time;
    row->percent[mode] += time;
}

/* From times to percent of `whole`; no modes where they are not told. */
static void make_percent(struct compare_monitor *m, double whole)
{
    for (size_t i = 0; i < m->rows; i++) {
        m->row[i].total *= 100.0 / whole;
        for (unsigned mode = 0; mode < MODES; mode++)
            m->row[i].percent[mode] = m->modes ? m->row[i].percent[mode] * 100.0 / whole : NAN;
    }
}

/* ---- the monitors of a stream ---- */

static double seconds_of(const struct epoch *e)
{
    return (double)(e->snapshot->end - e->snapshot->begin) / (double)e->hello.clock_hz;
}

static struct compare_monitor *add_monitor(struct compare *c, const struct compare_stream *from, enum compare_kind kind,
                                           const char *name)
{
    struct compare_monitor *m;

    GROW(c->monitor, c->monitors);
    m = &c->monitor[c->monitors++];
    *m = (struct compare_monitor){.from = from, .kind = kind, .modes = true, .tasks = true, .points = NAN,
                                  .handler = NAN, .each = NAN, .entropy = NAN, .step = 1.0 / (double)from->epoch->hello.clock_hz};
    m->hardware = !strcmp(from->epoch->hello.door.bytes, "hwmon");
    snprintf(m->name, sizeof(m->name), "%s", name);
    return m;
}

static void add_bytes(struct compare_monitor *m, const enum wire_type *type, size_t types)
{
    double bytes = 0.0;

    for (size_t i = 0; i < types; i++)
        bytes += (double)m->from->bytes_of[type[i]];
    m->bytes = bytes / seconds_of(m->from->epoch);
}
#define ADD_BYTES(m, ...) \
    add_bytes(m, (const enum wire_type[]){__VA_ARGS__}, sizeof((enum wire_type[]){__VA_ARGS__}) / sizeof(enum wire_type))

/* Cumulative counters tell as much of time as they are read. */
static double between_readings(const struct epoch *e, uint64_t readings)
{
    return seconds_of(e) / (double)(readings ? readings : 1);
}

static double handler_of(const struct epoch *e)
{
    const struct snapshot *s = e->snapshot;

    return s->exact && s->end > s->begin ? 100.0 * (double)s->monitor / (double)(s->end - s->begin) : NAN;
}

static void add_sampling(struct compare *c, const struct compare_stream *from)
{
    const struct epoch *e = from->epoch;
    const struct table_options options = report_options(e);
    struct compare_monitor *m;
    char name[sizeof(m->name)];

    if (!e->snapshot->samples || !e->hello.clock_hz)
        return;
    snprintf(name, sizeof(name), "sampling, %s", config_value_name(&e->words, CONFIG_INTERVAL));
    m = add_monitor(c, from, COMPARE_SAMPLING, name);
    m->step = epoch_mean(e) / (double)e->hello.clock_hz;
    for (uint32_t i = 0; i < e->snapshot->rows; i++) {
        const struct table_row figures = table_row(e->snapshot, &e->snapshot->row[i], &options);
        struct compare_row *row;

        if (!figures.modes)
            continue;
        row = row_named(m, e->snapshot->row[i].name);
        row->total = figures.total.percent;
        for (unsigned mode = 0; mode < MODES; mode++)
            row->percent[mode] = figures.cell[mode].percent;
        m->points = fmax(m->points, (figures.total.high - figures.total.low) / 2.0);
    }
    m->handler = m->hardware ? 0.0 : handler_of(e);
    m->records = (double)e->snapshot->ticks;
    if (e->samples && e->samples->count) {
        const struct samples_entropy h = samples_entropy(e->samples);

        m->entropy = (h.places + h.steps) / 8.0;
    }
    ADD_BYTES(m, WIRE_SNAPSHOT, WIRE_CELLS, WIRE_LATENESS, WIRE_SAMPLES, WIRE_PLACES);
}

static void add_account(struct compare *c, const struct compare_stream *from)
{
    const struct epoch *e = from->epoch;
    const struct snapshot *s = e->snapshot;
    const struct table_options options = report_options(e);
    struct compare_monitor *m;

    if (!s->exact || !snapshot_tau(s))
        return;
    m = add_monitor(c, from, COMPARE_ACCOUNT, "exact account");
    for (uint32_t i = 0; i < s->rows; i++)
        for (unsigned mode = 0; mode < MODES && row_has_modes(s->row[i].id); mode++)
            add_time(m, s->row[i].name, mode, (double)s->row[i].time[mode] + (double)s->row[i].masked[mode]);
    make_percent(m, (double)snapshot_tau(s));
    m->points = table_resolution(s, &options);
    m->step = between_readings(e, e->snapshots);
    m->records = (double)s->transitions;
    m->handler = m->hardware ? 0.0 : NAN;
    ADD_BYTES(m, WIRE_EXACT);
}

/* What each record says, and the time that passed before it. */
struct record_entropy {
    struct entropy_tally what, time;
};

/* In bytes. */
static double finish_entropy(struct record_entropy *h)
{
    const double bits = entropy_tally_bits(&h->what) + entropy_tally_bits(&h->time);

    entropy_tally_free(&h->what);
    entropy_tally_free(&h->time);
    return bits / 8.0;
}

static void tally_change(void *context, const struct transition *t)
{
    struct record_entropy *h = context;

    entropy_tally_add(&h->what, t->cell);
    entropy_tally_add(&h->time, (uint64_t)t->time);
}

/* The changes of a stream are not in its model: they are read again.  NaN where the stream cannot be. */
static double log_entropy(const struct compare_stream *from, unsigned long epoch)
{
    struct timeline *t = strcmp(from->path, "-") ? timeline_open(from->path, &(struct timeline_request){.epoch = epoch}) : NULL;
    struct record_entropy entropy = {0};

    if (!t)
        return NAN;
    epoch_sink_records(t, timeline_epoch(t), &(struct epoch_sink){.context = &entropy, .on_change = tally_change});
    timeline_close(t);
    return finish_entropy(&entropy);
}

static void add_log(struct compare *c, const struct compare_stream *from, unsigned long epoch)
{
    const struct epoch *e = from->epoch;
    const struct transitions *t = e->transitions;
    struct compare_monitor *m;
    double whole = 0.0;

    if (!t || !t->count)
        return;
    m = add_monitor(c, from, COMPARE_LOG, "log of changes");
    for (uint64_t cell = 1; cell < t->cells; cell++) {
        const struct transition of = transition_of_cell(t, cell);
        char name[NAME_SIZE];

        if (!t->cell[cell].count || !of.known)
            continue;
        epoch_name_of(e, of.id, name);
        add_time(m, name, of.mode, (double)t->cell[cell].time);
        whole += (double)t->cell[cell].time;
    }
    make_percent(m, whole);
    m->entropy = log_entropy(from, epoch);
    m->records = (double)(t->told ? t->told : t->count);
    m->sequence = true;
    m->handler = m->hardware ? 0.0 : NAN;
    ADD_BYTES(m, WIRE_TRANSITIONS, WIRE_LOGGED);
}

/* The events of a stream are not in its model: they are read again, as states. */
static void add_events(struct compare *c, const struct compare_stream *from, unsigned long epoch)
{
    struct timeline *t = from->epoch->events && strcmp(from->path, "-")
        ? timeline_open(from->path, &(struct timeline_request){.epoch = epoch}) : NULL;
    struct compare_monitor *m;
    struct record_entropy entropy = {0};
    struct timeline_item item;
    double whole = 0.0;
    int64_t last = 0;

    if (!t)
        return;
    m = add_monitor(c, from, COMPARE_EVENTS, "events");
    while (timeline_next(t, &item)) {
        char name[NAME_SIZE];

        if (item.kind == TIMELINE_EVENT) {
            entropy_tally_add(&entropy.what, (uint64_t)item.event.class << TRACE_ARGUMENT_BITS | item.event.argument);
            entropy_tally_add(&entropy.time, (uint64_t)(item.event.time - last));
            last = item.event.time;
        }
        if (item.kind != TIMELINE_STEP || item.step.monitor || !(item.step.known & KNOWN_TASK))
            continue;
        m->modes &= (item.step.known & KNOWN_MODE) != 0;
        epoch_name_of(from->epoch, item.step.task, name);
        add_time(m, name, item.step.known & KNOWN_MODE ? item.step.mode : MODE_KERNEL, (double)item.step.length);
        whole += (double)item.step.length;
    }
    m->entropy = finish_entropy(&entropy);
    m->records = (double)(from->epoch->events->recorded ? from->epoch->events->recorded : timeline_counts(t)->events);
    timeline_close(t);
    make_percent(m, whole);
    m->sequence = true;
    m->handler = m->hardware ? 0.0 : NAN;
    ADD_BYTES(m, WIRE_EVENTS, WIRE_EVENT_KEYS, WIRE_EVENT_COUNTS);
}

static void add_idle(struct compare *c, const struct compare_stream *from)
{
    const struct software_records *r = &from->epoch->software;
    const struct wire_idle *last = r->idle_count ? &r->idle[r->idle_count - 1] : NULL;
    struct compare_monitor *m;

    if (!last || last->end <= last->begin)
        return;
    m = add_monitor(c, from, COMPARE_IDLE, "idle counters");
    m->modes = m->tasks = false;
    m->step = between_readings(from->epoch, r->idle_count);
    m->records = (double)last->halts;
    add_time(m, "IDLE", MODE_KERNEL, (double)last->idle);
    make_percent(m, (double)(last->end - last->begin));
    m->handler = m->hardware ? 0.0 : NAN;
    ADD_BYTES(m, WIRE_IDLE);
}

/* ---- streams ---- */

static void take(void *context, const struct stream_event *event)
{
    struct compare_stream *s = context;

    if (event->kind == STREAM_RECORD)
        s->bytes_of[event->reader.type & 0xff] += event->length + 2; /* with its zeros */
    model_add_event(&s->model, event);
}

/* False, with a message, if it has no snapshot whose shares can be told. */
static bool read_stream(struct compare_stream *s, const char *path, unsigned long epoch)
{
    s->path = path;
    model_init(&s->model);
    s->model.samples = SAMPLES_STEPS;
    s->modelled = true;
    s->read_well = stream_decode(path, &s->stream, take, s);
    model_finish(&s->model);
    if ((!s->stream.stats.bytes && !s->read_well) || stream_has_no_frames(path, &s->stream))
        return false;
    s->epoch = report_epoch(path, &s->model, epoch);
    if (s->epoch && (!s->epoch->snapshot || !s->epoch->has_hello || !s->epoch->hello.clock_hz ||
                     s->epoch->snapshot->end <= s->epoch->snapshot->begin)) {
        cli_error("%s: no complete snapshot with its HELLO, so no shares", path);
        return false;
    }
    return s->epoch != NULL;
}

bool compare_add(struct compare *c, const char *path, unsigned long epoch)
{
    struct compare_stream *s = &c->stream[c->streams++];

    if (!read_stream(s, path, epoch))
        return false;
    add_sampling(c, s);
    add_account(c, s);
    add_log(c, s, epoch);
    add_events(c, s, epoch);
    add_idle(c, s);
    return true;
}

bool compare_add_alone(struct compare *c, const char *path)
{
    if (!read_stream(&c->alone, path, 0))
        return false;
    if (!snapshot_tau(c->alone.epoch->snapshot))
        cli_error("%s: no exact times, so no slow-down", path);
    return snapshot_tau(c->alone.epoch->snapshot) != 0;
}

void compare_free(struct compare *c)
{
    if (c->alone.modelled)
        model_free(&c->alone.model);
    for (size_t i = 0; i < c->monitors; i++)
        free(c->monitor[i].row);
    free(c->monitor);
    for (unsigned i = 0; i < c->streams; i++)
        if (c->stream[i].modelled)
            model_free(&c->stream[i].model);
}

/* ---- distances ---- */

struct distance {
    struct compare_monitor *m;
    double sum;
    size_t cells;
};

static void add_distance(struct distance *d, const char *name, const char *mode, double is, double truth)
{
    const double off = fabs(is - truth);

    if (isnan(off))
        return;
    d->sum += off;
    d->cells++;
    if (off < d->m->off)
        return;
    d->m->off = off;
    snprintf(d->m->worst, sizeof(d->m->worst), "%s%s%s", name, *mode ? ":" : "", mode);
}

static void add_row_distance(struct distance *d, const char *name, const struct compare_row *truth)
{
    static const struct compare_row empty;
    const struct compare_row *row = compare_row(d->m, name);

    row = row ? row : &empty;
    truth = truth ? truth : &empty;
    if (!d->m->modes)
        add_distance(d, name, "", row->total, truth->total);
    for (unsigned mode = 0; d->m->modes && mode < MODES; mode++)
        add_distance(d, name, mode_name(mode), row->percent[mode], truth->percent[mode]);
}

static void measure(struct compare_monitor *m, const struct compare_monitor *truth)
{
    struct distance d = {.m = m};

    m->off = 0.0;
    for (size_t i = 0; i < truth->rows; i++)
        if (m->tasks || compare_row(m, truth->row[i].name))
            add_row_distance(&d, truth->row[i].name, &truth->row[i]);
    for (size_t i = 0; i < m->rows; i++)
        if (!compare_row(truth, m->row[i].name))
            add_row_distance(&d, m->row[i].name, NULL);
    m->mean = d.cells ? d.sum / (double)d.cells : NAN;
    m->off = d.cells ? m->off : NAN;
}

/* ---- slow-down ---- */

/* The exact time of a row in all modes, as a part of the window, handlers included. */
static double part_of_window(const struct snapshot *s, const struct snapshot_row *row)
{
    double time = 0.0;

    for (unsigned mode = 0; mode < MODES; mode++)
        time += (double)row->time[mode] + (double)row->masked[mode];
    return time / (double)(s->end - s->begin);
}

/* The task with the most time, which computes whenever it can; NULL: there is none. */
static const struct snapshot_row *busiest_row(const struct snapshot *s)
{
    const struct snapshot_row *best = NULL;

    for (uint32_t i = 0; i < s->rows; i++)
        if (s->row[i].id < ROW_IDLE && (!best || part_of_window(s, &s->row[i]) > part_of_window(s, best)))
            best = &s->row[i];
    return best;
}

/* By how much the task of this name has less of the window than `alone` of it. */
static double slow_down(const struct snapshot *s, const char *name, double alone)
{
    for (uint32_t i = 0; snapshot_tau(s) && i < s->rows; i++)
        if (!strcmp(s->row[i].name, name))
            return 100.0 * (1.0 - part_of_window(s, &s->row[i]) / alone);
    return NAN;
}

/* ---- the cost of one record ---- */

static bool records_changes(const struct compare_monitor *m)
{
    return m->kind == COMPARE_LOG || m->kind == COMPARE_EVENTS || m->kind == COMPARE_IDLE;
}

/* Whether what the stream's ticks do not take is this monitor's alone. */
static bool is_only_one(const struct compare *c, const struct compare_monitor *m)
{
    unsigned others = 0;

    for (size_t i = 0; i < c->monitors; i++)
        others += &c->monitor[i] != m && c->monitor[i].from == m->from && records_changes(&c->monitor[i]);
    return records_changes(m) && !others;
}

static double zero_unless_known(double x)
{
    return isnan(x) ? 0.0 : x;
}

/* What the busiest task lost and the ticks did not take, seconds. */
static double lost_to_records(const struct compare *c, const struct compare_monitor *m)
{
    const struct snapshot *s = c->alone.epoch ? c->alone.epoch->snapshot : NULL;
    const struct snapshot_row *task = s ? busiest_row(s) : NULL;
    const double ticks = zero_unless_known(handler_of(m->from->epoch)) - (s ? zero_unless_known(handler_of(c->alone.epoch)) : 0.0);

    return task ? (m->slows * part_of_window(s, task) - ticks) / 100.0 * seconds_of(m->from->epoch) : NAN;
}

static void measure_each(struct compare *c)
{
    for (size_t i = 0; i < c->monitors; i++) {
        struct compare_monitor *m = &c->monitor[i];

        if (m->hardware)
            m->each = 0.0;
        else if (m->kind == COMPARE_SAMPLING && m->records > 0.0)
            m->each = m->handler / 100.0 * seconds_of(m->from->epoch) / m->records;
        else if (is_only_one(c, m) && m->records > 0.0)
            m->each = lost_to_records(c, m) / m->records;
    }
}

/* hwmon counts the instructions of the window, and knows the time in which there were any. */
static double instruction_of(const struct epoch *e)
{
    const struct snapshot *s = e->snapshot;
    double busy = (double)(s->end - s->begin), instructions = 0.0;

    for (size_t i = 0; i < e->health_count; i++)
        if (!strcmp(e->health[i].name.bytes, "instructions"))
            instructions = strtod(e->health[i].value.bytes, NULL);
    for (uint32_t i = 0; i < s->rows; i++)
        for (unsigned mode = 0; mode < MODES && s->row[i].id == ROW_IDLE; mode++)
            busy -= (double)s->row[i].time[mode] + (double)s->row[i].masked[mode];
    return instructions > 0.0 && busy > 0.0 ? busy / (double)e->hello.clock_hz / instructions : NAN;
}

static void measure_instruction(struct compare *c)
{
    c->instruction = NAN;
    for (size_t i = 0; i < c->monitors && isnan(c->instruction); i++)
        if (c->monitor[i].hardware)
            c->instruction = instruction_of(c->monitor[i].from->epoch);
}

static void measure_slow_down(struct compare *c)
{
    const struct snapshot *s = c->alone.epoch ? c->alone.epoch->snapshot : NULL;
    const struct snapshot_row *task = s ? busiest_row(s) : NULL;

    for (size_t i = 0; i < c->monitors; i++) {
        struct compare_monitor *m = &c->monitor[i];

        m->slows = !task ? NAN : m->hardware ? 0.0
            : slow_down(m->from->epoch->snapshot, task->name, part_of_window(s, task));
    }
}

void compare_finish(struct compare *c)
{
    measure_slow_down(c);
    measure_each(c);
    measure_instruction(c);
    for (unsigned hardware = 2; hardware-- && !c->truth;)
        for (size_t i = 0; i < c->monitors && !c->truth; i++)
            if (c->monitor[i].kind == COMPARE_ACCOUNT && c->monitor[i].hardware == hardware)
                c->truth = &c->monitor[i];
    for (size_t i = 0; i < c->monitors; i++) {
        c->monitor[i].off = c->monitor[i].mean = NAN;
        if (c->truth && &c->monitor[i] != c->truth)
            measure(&c->monitor[i], c->truth);
    }
}
