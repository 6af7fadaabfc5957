/* SPDX-License-Identifier: MIT */
/*
 * The line of progress.  Seconds of the run are by the image's clock: under emulation they differ
 * from wall-clock seconds, so the remaining time is scaled.
 */
#include "tools/stream/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probe/config/config.h"

static void take_hello(struct progress *p, const struct stream_event *event, double wall)
{
    struct wire_reader r = event->reader;
    char line[CONFIG_LINE];
    struct refusal unused;
    struct wire_hello hello;
    struct config words;

    wire_read_head(&r, &hello);
    if (hello.words.length >= sizeof(line))
        return;
    memcpy(line, hello.words.bytes, hello.words.length);
    line[hello.words.length] = '\0';
    config_default(&words);
    if (!config_parse(&words, line, &unused))
        return;
    if (!p->begun)
        p->began = wall;
    p->begun = true;
    p->clock_hz = hello.clock_hz;
    p->seconds = words.seconds;
    p->samples_asked = words.samples;
    p->now = hello.now;
}

static void take_state(struct progress *p, uint64_t samples, uint64_t end)
{
    p->samples = samples;
    if (end > p->now)
        p->now = end;
}

static void take_snapshot(struct progress *p, struct wire_reader r)
{
    struct wire_snapshot head;

    wire_read_head(&r, &head);
    p->begin = head.begin;
    take_state(p, head.samples, head.end);
}

static void take_delta(struct progress *p, struct wire_reader r)
{
    struct wire_delta head;

    wire_read_head(&r, &head);
    take_state(p, head.samples, head.end);
}

void progress_add_event(struct progress *p, const struct stream_event *event, double wall)
{
    if (event->kind != STREAM_RECORD)
        return;
    switch (event->reader.type) {
    case WIRE_HELLO: take_hello(p, event, wall); break;
    case WIRE_SNAPSHOT: take_snapshot(p, event->reader); break;
    case WIRE_DELTA: take_delta(p, event->reader); break;
    default: break;
    }
}

/* The completed fraction of the run, by the bound that it will reach first; 0: no bound. */
static double fraction(const struct progress *p, double elapsed)
{
    double by_time = p->seconds ? elapsed / (double)p->seconds : 0.0;
    double by_samples =
        p->samples_asked ? (double)p->samples / (double)p->samples_asked : 0.0;
    double f = by_time > by_samples ? by_time : by_samples;

    return f > 1.0 ? 1.0 : f;
}

void progress_show(struct progress *p, double wall, bool last)
{
    bool terminal = isatty(STDERR_FILENO);
    double elapsed = 0.0, f;

    if (!last && wall - p->shown < (terminal ? 0.2 : 5.0))
        return;
    p->shown = wall;
    if (terminal)
        fputs("\r\033[K", stderr);
    if (!p->begun) {
        fputs("waiting for the image", stderr);
    } else {
        if (p->begin && p->clock_hz && p->now > p->begin)
            elapsed = (double)(p->now - p->begin) / (double)p->clock_hz;
        f = fraction(p, elapsed);
        fprintf(stderr, "%.1f", elapsed);
        if (p->seconds)
            fprintf(stderr, " of %" PRIu64, p->seconds);
        fprintf(stderr, " s, %" PRIu64, p->samples);
        if (p->samples_asked)
            fprintf(stderr, " of %" PRIu64, p->samples_asked);
        fputs(" samples", stderr);
        if (f > 0.01 && !last)
            fprintf(stderr, ", about %.0f s left", (wall - p->began) * (1.0 - f) / f);
    }
    if (!terminal || last)
        fputc('\n', stderr);
}
