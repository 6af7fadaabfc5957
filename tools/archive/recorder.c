/* SPDX-License-Identifier: MIT */
/* Reads a port until the run ends, and keeps what arrives. */
#include "tools/archive/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/archive/archive_file.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/interrupt.h"
#include "tools/base/printable.h"
#include "tools/stream/image_refusal.h"
#include "tools/stream/port.h"
#include "tools/stream/progress.h"
#include "tools/stream/stream_reader.h"

#define UNFRAMED 2.0 /* seconds of bytes without a frame, after which that is said */
#define QUIET  1.0  /* seconds of silence after an error message: the message is complete */
#define REPEAT 10.0 /* seconds after an error message without silence: the image reboots and repeats it */

#define RETRY_MS 250 /* between two attempts to open a port that has gone */

struct recording {
    const struct record_options *a;
    int in;
    struct archive_file out;
    struct frame_decoder stream;
    struct progress progress;
    struct image_refusal refusal;
    double start, last_byte; /* wall clock, s: of the recording, of the last byte */
    double last_frame;       /* of the last frame, or of the begin */
    struct {
        double since;                      /* wall clock of the first of them, s */
        uint64_t bytes, zeros, printable;
        bool told;
    } unframed; /* what came behind the last frame */
    double refused;      /* wall clock of the first error message before a run; 0: none */
    bool ended; /* END came */
    bool kept;  /* all received bytes were written */
    uint64_t status;
    unsigned gaps;       /* how often the port went and came back */
    char stop[PORT_WHY]; /* why it stopped before END */
};

static void take_event(struct recording *r, const struct stream_event *event)
{
    struct wire_reader reader = event->reader;
    struct wire_end end;

    progress_add_event(&r->progress, event, monotonic_seconds());
    refusal_add_event(&r->refusal, event);
    if (event->kind == STREAM_VERSION)
        snprintf(r->stop, sizeof(r->stop),
                 "the image uses version %" PRIu64 " of the protocol; this tool supports %d",
                 event->major, WIRE_MAJOR);
    if (event->kind != STREAM_RECORD || reader.type != WIRE_END)
        return;
    wire_read_head(&reader, &end);
    r->ended = true;
    r->status = end.status;
    if (end.status) {
        char *reason = printable_copy(end.reason.bytes, end.reason.length);

        snprintf(r->stop, sizeof(r->stop), "the image reported failure: %.100s", reason);
        free(reason);
    }
}

/* Whether to stop waiting for the line or for the reader of a pipe. */
static bool is_over(void *recording)
{
    struct recording *r = recording;
    const struct record_options *a = r->a;
    const double now = monotonic_seconds();

    if (interrupted == SIGHUP)
        strcpy(r->stop, "the terminal hung up");
    else if (interrupted)
        strcpy(r->stop, "interrupted");
    else if (a->seconds && now - r->start >= (double)a->seconds)
        snprintf(r->stop, sizeof(r->stop), "the %lu seconds are over", a->seconds);
    return r->stop[0];
}

/* Write what was read, up to the zero that ends END. */
static void take_bytes(struct recording *r, const uint8_t *bytes, size_t length)
{
    const bool exact = r->a->times || r->a->part_bytes || r->a->part_seconds > 0.0; /* where a frame ends matters */
    struct stream_event event;
    size_t taken = 0, written = 0;

    while (taken < length && !r->ended && !r->stop[0]) {
        const uint8_t *from = bytes + taken;
        const size_t some = decoder_feed(&r->stream, from, length - taken, &event);

        refusal_add_bytes(&r->refusal, from, some);
        taken += some;
        if (event.kind == STREAM_NOTHING)
            continue;
        take_event(r, &event);
        if (exact) {
            r->kept = r->kept && archive_write(&r->out, bytes + written, taken - written) &&
                      archive_end_event(&r->out, &event);
            written = taken;
        }
    }
    r->kept = r->kept && archive_write(&r->out, bytes + written, taken - written);
}

static void note_frame(struct recording *r, double now)
{
    r->last_frame = now;
    memset(&r->unframed, 0, sizeof(r->unframed));
}

/* Bytes that make no frame: firmware's text may, anything else is told once, with what is likely. */
static void note_unframed(struct recording *r, const uint8_t *bytes, size_t length, double now)
{
    const char *likely = "is its rate the same on both sides?";

    if (!r->unframed.bytes)
        r->unframed.since = now;
    r->unframed.bytes += length;
    for (size_t i = 0; i < length; i++) {
        r->unframed.zeros += bytes[i] == 0;
        r->unframed.printable += (bytes[i] >= ' ' && bytes[i] <= '~') || bytes[i] == '\n' || bytes[i] == '\r' ||
                                 bytes[i] == '\t' || bytes[i] == 0x1b;
    }
    if (r->unframed.told || now - r->unframed.since < UNFRAMED || r->unframed.printable * 10 >= r->unframed.bytes * 9)
        return;
    r->unframed.told = true;
    if (r->unframed.zeros * 10 >= r->unframed.bytes * 9)
        likely = "nearly all of them zeros: is the line connected and powered, and not inverted?";
    cli_error("%s: %" PRIu64 " bytes in %.0f s and no frame; %s", r->a->port, r->unframed.bytes,
              now - r->unframed.since, likely);
}

/* Try to open a port that is away until it is there; false if the time is over, with the reason in r->stop. */
static bool await_port(struct recording *r, double since)
{
    const struct timespec pause = {.tv_nsec = RETRY_MS * 1000000};
    unsigned attempts = 0;

    while (r->in < 0 && !is_over(r)) {
        if (monotonic_seconds() - since >= (double)r->a->reopen) {
            snprintf(r->stop, sizeof(r->stop), "the port did not come within %lu seconds, %u attempts", r->a->reopen,
                     attempts);
            return false;
        }
        nanosleep(&pause, NULL);
        r->in = port_try(r->a->port, r->a->baud, PORT_READ);
        attempts++;
    }
    if (r->in >= 0)
        cli_error("%s: the port is there after %.1f s, %u attempts", r->a->port, monotonic_seconds() - since,
                  attempts);
    return r->in >= 0;
}

/* The line ended: wait for it if that was asked. */
static bool reopen(struct recording *r)
{
    const uint64_t from = arrival_now();

    if (!r->a->reopen || r->in == STDIN_FILENO)
        return false;
    cli_error("%s: %s; waiting for it %lu s", r->a->port, r->stop, r->a->reopen);
    r->stop[0] = '\0';
    close(r->in);
    r->in = -1;
    if (!await_port(r, monotonic_seconds()))
        return false;
    archive_gap(&r->out, from);
    decoder_note_break(&r->stream);
    r->gaps++;
    r->last_byte = monotonic_seconds();
    note_frame(r, r->last_byte);
    return true;
}

/* Wait once and read once; false if nothing more will come. */
static bool step(struct recording *r)
{
    static uint8_t bytes[1 << 14];
    const int got = port_read(r->in, bytes, sizeof(bytes), 200, r->stop);

    if (got < 0)
        return reopen(r);
    if (got > 0) {
        const uint64_t before = r->stream.stats.frames + r->stream.stats.unknown;

        decoder_note_silence(&r->stream, monotonic_seconds() - r->last_byte);
        take_bytes(r, bytes, (size_t)got);
        r->last_byte = monotonic_seconds();
        if (r->stream.stats.frames + r->stream.stats.unknown != before)
            note_frame(r, r->last_byte);
        else
            note_unframed(r, bytes, (size_t)got, r->last_byte);
    }
    return r->kept;
}

/* Whether nothing more is expected, because of silence or an error message of the image. */
static bool is_silent(struct recording *r, double now)
{
    const unsigned long timeout = r->a->timeout;

    if (!refusal_is_given(&r->refusal))
        r->refused = 0;
    else if (!r->refused)
        r->refused = now;
    if (r->refused && (now - r->last_byte >= QUIET || now - r->refused >= REPEAT))
        return true;
    if (timeout && now - r->last_frame >= (double)timeout)
        snprintf(r->stop, sizeof(r->stop), "no %s arrived for %lu seconds",
                 now - r->last_byte >= (double)timeout ? "byte" : "frame", timeout);
    return r->stop[0];
}

static void run(struct recording *r)
{
    double now = r->start = r->last_byte = r->last_frame = monotonic_seconds();

    while (!r->ended && !r->stop[0] && step(r)) {
        now = monotonic_seconds();
        if (r->a->progress)
            progress_show(&r->progress, now, false);
        if (is_over(r) || is_silent(r, now))
            break;
    }
    if (r->a->progress)
        progress_show(&r->progress, now, true);
}

static void finish(struct recording *r)
{
    struct stream_event last;

    decoder_finish(&r->stream, &last);
    if (last.kind != STREAM_NOTHING)
        take_event(r, &last);
    refusal_finish(&r->refusal);
}

static int verdict(const struct recording *r)
{
    const char *port = r->a->port;
    const struct stream_stats *stats = &r->stream.stats;

    if (refusal_is_given(&r->refusal)) {
        cli_error("%s: the image stopped before its run and reported the reason", port);
        return EXIT_CHECK_FAILED;
    }
    if (r->stop[0])
        cli_error("%s: %s%s", port, r->stop, r->ended ? "" : "; the run has no end record");
    if (r->stream.state == STREAM_REFUSED)
        return EXIT_NO_DATA;
    if (!stats->frames) {
        stream_has_no_frames(port, &r->stream);
        return EXIT_NO_DATA;
    }
    if (r->gaps)
        cli_error("%s: the port was away %u times", port, r->gaps);
    stream_unknown_print(port, stats);
    return !stream_loss_print(port, stats) && r->ended && !r->stop[0] && r->kept ? EXIT_OK : EXIT_DAMAGED;
}

static bool open_port(struct recording *r)
{
    const struct record_options *a = r->a;

    if (!a->reopen)
        return (r->in = port_open(a->port, a->baud, PORT_READ)) >= 0;
    r->in = port_try(a->port, a->baud, PORT_READ);
    if (r->in >= 0 || await_port(r, r->start))
        return true;
    cli_error("%s: %s", a->port, r->stop);
    return false;
}

static int record(struct recording *r)
{
    int code = EXIT_NO_DATA;

    if (!archive_begin(&r->out))
        return EXIT_NO_DATA;
    r->start = monotonic_seconds();
    if (open_port(r)) {
        run(r);
        finish(r);
        code = verdict(r);
    }
    if (!archive_end(&r->out) && code == EXIT_OK)
        code = EXIT_DAMAGED;
    return code;
}

int record_stream(const struct record_options *o, bool *ended)
{
    struct recording *r = xcalloc(1, sizeof(*r));
    int code;

    r->a = o;
    r->kept = true;
    r->out = (struct archive_file){.name = o->file, .from = o->port, .force = o->force, .times = o->times,
        .most_bytes = o->part_bytes, .most_seconds = o->part_seconds, .stop = is_over, .context = r};
    decoder_init(&r->stream);
    code = record(r);
    *ended = r->ended;
    free(r);
    return code;
}
