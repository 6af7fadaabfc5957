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

void progress_add_event(struct progress *p, const struct stream_event *event, double wall)
{
    struct wire_reader r = event->reader;
    struct wire_snapshot head;

    if (event->kind != STREAM_RECORD)
        return;
    if (r.type == WIRE_HELLO)
        take_hello(p, event, wall);
    if (r.type != WIRE_SNAPSHOT)
        return;
    wire_read_head(&r, &head);
    p->begin = head.begin;
    p->samples = head.samples;
    if (head.end > p->now)
        p->now = head.end;
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
