/* SPDX-License-Identifier: MIT */
/* Reads streams, and holds the shares of their monitors against the truth. */
#include "tools/compare/compare.h"

#include <math.h>
#include <stdlib.h>

#include "tools/analysis/report.h"
#include "tools/stream/stream_reader.h"

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
    s->model.samples = SAMPLES_STEPS;
    s->modelled = true;
    stream_decode(path, &s->stream, take, s);
    model_finish(&s->model);
    if (stream_has_no_frames(path, &s->stream))
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
    compare_add_kinds(c, s, epoch);
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
    for (size_t i = 0; i < c->monitors; i++) {
        free(c->monitor[i].row);
        index_free(&c->monitor[i].row_of);
    }
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

void compare_finish(struct compare *c)
{
    compare_measure_cost(c);
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
