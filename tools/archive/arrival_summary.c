/* SPDX-License-Identifier: MIT */
/* Joins a recording's HELLOs with the times at which they arrived. */
#include "tools/archive/arrival_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/base/alloc.h"
#include "tools/stream/arrival_times.h"
#include "tools/stream/boot_watch.h"
#include "tools/stream/stream_source.h"

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
