/* SPDX-License-Identifier: MIT */
/*
 * Prints lines of progress: of a run, and of the reading of a long recording.  Seconds of the run are by the image's
 * clock: under emulation they differ from wall-clock seconds.
 */
#include "tools/stream/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/config/config.h"
#include "tools/base/cli.h"
#include "tools/base/pager.h"

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

#define SILENT_S 1.0 /* a shorter reading needs no line */
#define EVERY_S  0.2
#define BAR      30

void read_progress_begin(struct read_progress *p, int file)
{
    struct stat what;

    *p = (struct read_progress){.terminal = pager_terminal(), .began = monotonic_seconds()};
    p->due = p->began + SILENT_S;
    if (file >= 0 && !fstat(file, &what) && S_ISREG(what.st_mode) && what.st_size > 0)
        p->size = (uint64_t)what.st_size;
}

/* A file may grow while it is read. */
static double read_fraction(const struct read_progress *p)
{
    return p->read < p->size ? (double)p->read / (double)p->size : 1.0;
}

void read_progress_print(const struct read_progress *p, double seconds, char line[READ_PROGRESS_LINE])
{
    const double f = read_fraction(p);
    char bar[BAR + 1];

    if (!p->size) {
        snprintf(line, READ_PROGRESS_LINE, "reading: %.0f MB in %.0f s", (double)p->read * 1e-6, seconds);
        return;
    }
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)(f * BAR));
    bar[BAR] = '\0';
    snprintf(line, READ_PROGRESS_LINE, "reading [%s] %3.0f %%, %.0f s left", bar, 100.0 * f,
             p->read ? seconds * (1.0 - f) / f : 0.0);
}

/*
 * The cursor returns to the first column, so that a message replaces the line.
 * A terminal that is gone matters to nobody.
 */
static void show(struct read_progress *p, double now)
{
    char line[READ_PROGRESS_LINE];

    read_progress_print(p, now - p->began, line);
    p->due = now + EVERY_S;
    p->shown = dprintf(p->terminal, "\r\033[K%s\r", line) > 0;
}

void read_progress_add(struct read_progress *p, size_t bytes)
{
    double now;

    p->read += bytes;
    if (p->terminal < 0)
        return;
    now = monotonic_seconds();
    if (now >= p->due)
        show(p, now);
}

void read_progress_end(struct read_progress *p)
{
    if (p->shown)
        dprintf(p->terminal, "\r\033[K");
    p->shown = false;
    p->terminal = -1;
}
