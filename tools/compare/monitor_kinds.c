/* SPDX-License-Identifier: MIT */
/*
 * The monitors of a stream, a function each: what it says of tasks and modes, how finely,
 * and how much it takes on the line.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probe/trace/event_class.h"
#include "tools/analysis/report.h"
#include "tools/base/alloc.h"
#include "tools/compare/compare.h"
#include "tools/samples/entropy.h"
#include "tools/timeline/epoch_pass.h"
#include "tools/timeline/timeline.h"

/* ---- the monitors of a stream ---- */

static struct compare_monitor *add_monitor(struct compare *c, const struct compare_stream *from,
                                           enum compare_kind kind, const char *name)
{
    struct compare_monitor *m;

    GROW(c->monitor, c->monitors);
    m = &c->monitor[c->monitors++];
    *m = (struct compare_monitor){.from = from, .kind = kind, .modes = true, .tasks = true, .points = NAN,
                                  .handler = NAN, .each = NAN, .entropy = NAN,
                                  .step = 1.0 / (double)from->epoch->hello.clock_hz};
    m->hardware = !strcmp(from->epoch->hello.door.bytes, "hwmon");
    snprintf(m->name, sizeof(m->name), "%s", name);
    return m;
}

static void add_bytes(struct compare_monitor *m, const enum wire_type *type, size_t types)
{
    double bytes = 0.0;

    for (size_t i = 0; i < types; i++)
        bytes += (double)m->from->bytes_of[type[i]];
    m->bytes = bytes / epoch_window_seconds(m->from->epoch);
}
#define ADD_BYTES(m, ...) \
    add_bytes(m, (const enum wire_type[]){__VA_ARGS__}, \
              sizeof((enum wire_type[]){__VA_ARGS__}) / sizeof(enum wire_type))

/* Cumulative counters tell as much of time as they are read. */
static double between_readings(const struct epoch *e, uint64_t readings)
{
    return epoch_window_seconds(e) / (double)(readings ? readings : 1);
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
        row = compare_row_make(m, e->snapshot->row[i].name);
        row->total = figures.total.percent;
        for (unsigned mode = 0; mode < MODES; mode++)
            row->percent[mode] = figures.cell[mode].percent;
        m->points = fmax(m->points, (figures.total.high - figures.total.low) / 2.0);
    }
    m->handler = m->hardware ? 0.0 : compare_handler(e);
    m->records = (double)e->snapshot->ticks;
    if (e->samples && e->samples->count) {
        const struct samples_entropy h = samples_entropy(e->samples);

        m->entropy = (h.places + h.steps) / 8.0;
    }
    ADD_BYTES(m, WIRE_SNAPSHOT, WIRE_DELTA, WIRE_CELLS, WIRE_LATENESS, WIRE_SAMPLES, WIRE_PLACES, WIRE_PACKED_SAMPLES,
              WIRE_PACKED_PLACES);
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
            compare_add_time(m, s->row[i].name, mode, (double)s->row[i].time[mode] + (double)s->row[i].masked[mode]);
    compare_make_percent(m, (double)snapshot_tau(s));
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

/* Changes and events of a stream are not in its model: they are read again.  NULL where the stream cannot be. */
static struct timeline *read_again(const struct compare_stream *from, unsigned long epoch)
{
    return strcmp(from->path, "-") ? timeline_open(from->path, &(struct timeline_request){.epoch = epoch}) : NULL;
}

/* NaN where the stream cannot be read again. */
static double log_entropy(const struct compare_stream *from, unsigned long epoch)
{
    struct timeline *t = read_again(from, epoch);
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
        compare_add_time(m, name, of.mode, (double)t->cell[cell].time);
        whole += (double)t->cell[cell].time;
    }
    compare_make_percent(m, whole);
    m->entropy = log_entropy(from, epoch);
    m->records = (double)(t->told ? t->told : t->count);
    m->sequence = true;
    m->handler = m->hardware ? 0.0 : NAN;
    ADD_BYTES(m, WIRE_TRANSITIONS, WIRE_LOGGED);
}

/* The events, as states. */
static void add_events(struct compare *c, const struct compare_stream *from, unsigned long epoch)
{
    struct timeline *t = epoch_has_events(from->epoch) ? read_again(from, epoch) : NULL;
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
        compare_add_time(m, name, item.step.known & KNOWN_MODE ? item.step.mode : MODE_KERNEL,
                         (double)item.step.length);
        whole += (double)item.step.length;
    }
    m->entropy = finish_entropy(&entropy);
    m->records = (double)epoch_events_recorded(from->epoch);
    if (m->records == 0)
        m->records = (double)timeline_counts(t)->events;
    timeline_close(t);
    compare_make_percent(m, whole);
    m->sequence = true;
    m->handler = m->hardware ? 0.0 : NAN;
    ADD_BYTES(m, WIRE_EVENTS, WIRE_PACKED_EVENTS, WIRE_EVENT_KEYS, WIRE_EVENT_COUNTS);
}

static void add_idle(struct compare *c, const struct compare_stream *from)
{
    const struct record_store *const readings = epoch_kept(from->epoch, WIRE_IDLE);
    const struct wire_idle *const last = record_last(readings);
    struct compare_monitor *m;

    if (!last || last->end <= last->begin)
        return;
    m = add_monitor(c, from, COMPARE_IDLE, "idle counters");
    m->modes = m->tasks = false;
    m->step = between_readings(from->epoch, readings->head.count);
    m->records = (double)last->halts;
    compare_add_time(m, "IDLE", MODE_KERNEL, (double)last->idle);
    compare_make_percent(m, (double)(last->end - last->begin));
    m->handler = m->hardware ? 0.0 : NAN;
    ADD_BYTES(m, WIRE_IDLE);
}

void compare_add_kinds(struct compare *c, const struct compare_stream *from, unsigned long epoch)
{
    add_sampling(c, from);
    add_account(c, from);
    add_log(c, from, epoch);
    add_events(c, from, epoch);
    add_idle(c, from);
}
