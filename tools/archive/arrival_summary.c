/* SPDX-License-Identifier: MIT */
/*
 * Joins a recording's HELLOs with the times at which they arrived; finds the drift of the two clocks from the least
 * delayed messages of each block.
 */
#include "tools/archive/recorder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "probe/estimate/confidence.h"
#include "tools/base/alloc.h"
#include "tools/stream/port.h"
#include "tools/trace/item_filter.h"

#define PER_BLOCK    3 /* moments, at least */
#define BLOCKS_MOST  30
#define REFINEMENTS  3
#define Z95          1.96 /* by which clock_fit_drift_error() tells its interval */

static double delay(struct clock_moment m, double drift)
{
    return m.host - m.board / (1.0 + drift);
}

static void halve(struct clock_drift *d)
{
    for (size_t i = 0; i + 1 < d->count; i += 2)
        d->moment[i / 2] = d->moment[delay(d->moment[i + 1], 0.0) < delay(d->moment[i], 0.0) ? i + 1 : i];
    d->count /= 2;
    d->each *= 2;
}

void clock_drift_add(struct clock_drift *d, double board, double host)
{
    const struct clock_moment m = {board, host};

    if (!d->each)
        d->each = 1;
    if (!d->waiting || delay(m, 0.0) < delay(d->pending, 0.0))
        d->pending = m;
    if (++d->waiting < d->each)
        return;
    d->waiting = 0;
    d->moment[d->count++] = d->pending;
    if (d->count == DRIFT_MOMENTS)
        halve(d);
}

/* The line through the least delayed moment of each block, if the drift is as given. */
static struct clock_fit fit_blocks(const struct clock_drift *d, size_t blocks, double drift)
{
    struct clock_fit fit = {0};

    for (size_t b = 0; b < blocks; b++) {
        const size_t end = (b + 1) * d->count / blocks;
        size_t best = b * d->count / blocks;

        for (size_t i = best + 1; i < end; i++)
            if (delay(d->moment[i], drift) < delay(d->moment[best], drift))
                best = i;
        clock_fit_add(&fit, d->moment[best].board, d->moment[best].host);
    }
    return fit;
}

static size_t blocks_of(size_t count)
{
    const size_t blocks = count / PER_BLOCK;

    return blocks > BLOCKS_MOST ? BLOCKS_MOST : blocks;
}

struct drift_estimate clock_drift_estimate(const struct clock_drift *d)
{
    struct drift_estimate e = {.moments = d->count, .blocks = blocks_of(d->count), .error = -1.0};
    struct clock_fit fit;

    if (e.blocks < 2)
        return e;
    for (unsigned i = 0; i < REFINEMENTS; i++) {
        fit = fit_blocks(d, e.blocks, e.drift);
        e.drift = clock_fit_drift(&fit);
    }
    if (e.moments >= DRIFT_LEAST)
        e.error = clock_fit_drift_error(&fit) * confidence_t(LEVEL_95, e.blocks - 2) / Z95;
    return e;
}

#define NS 1e9

struct joining {
    struct stream_source source;
    struct frame_decoder decoder;
    struct arrival_reader arrivals;
    struct clock_drift drift;
    struct arrival_summary *to;
    struct boot_watch boot;
    uint64_t now, clock_hz; /* of the last HELLO */
};

/* The boot is over: its drift counts if no other boot told more. */
static void end_boot(struct joining *j)
{
    const struct drift_estimate e = clock_drift_estimate(&j->drift);

    j->to->boots++;
    if (j->to->boots == 1 || e.moments > j->to->drift.moments)
        j->to->drift = e;
    memset(&j->drift, 0, sizeof(j->drift));
}

static void take_hello(struct joining *j, const struct stream_event *event, bool boots)
{
    struct wire_reader r = event->reader;
    struct wire_hello hello;
    uint64_t arrived;

    memset(&hello, 0, sizeof(hello));
    wire_read_head(&r, &hello);
    if (!hello.clock_hz || !arrival_at(&j->arrivals, event->offset + event->length, &arrived))
        return;
    if (j->clock_hz && (boots || hello.clock_hz != j->clock_hz))
        end_boot(j);
    if (hello.now != j->now || hello.clock_hz != j->clock_hz)
        clock_drift_add(&j->drift, (double)hello.now / (double)hello.clock_hz, (double)arrived / NS);
    j->now = hello.now;
    j->clock_hz = hello.clock_hz;
}

static void join(struct joining *j)
{
    struct stream_event event;

    while (stream_source_next(&j->source, &event)) {
        const bool boots = boot_watch_event(&j->boot, &event);

        if (event.kind == STREAM_RECORD && event.reader.type == WIRE_HELLO)
            take_hello(j, &event, boots);
    }
    end_boot(j);
    arrival_finish(&j->arrivals);
}

bool arrival_summarize(const char *path, struct arrival_summary *s)
{
    struct joining *j = xcalloc(1, sizeof(*j));
    bool read = false;

    *s = (struct arrival_summary){.drift = {.error = -1.0}};
    j->to = s;
    if (strcmp(path, "-") && arrival_open(&j->arrivals, path)) {
        if (stream_source_open(&j->source, path, &j->decoder))
            join(j);
        read = !j->source.failed;
        s->wall = j->arrivals.wall;
        s->seconds = (double)j->arrivals.time / NS;
        s->gaps = j->arrivals.gaps;
        s->away = (double)j->arrivals.away / NS;
        s->wrong = j->arrivals.wrong;
        stream_source_close(&j->source);
        arrival_close(&j->arrivals);
    }
    free(j);
    return read;
}

void arrival_date(double seconds, char text[32])
{
    const time_t whole = (time_t)floor(seconds);
    struct tm utc;

    if (!gmtime_r(&whole, &utc) || !strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc))
        strcpy(text, "at an unknown time");
}
