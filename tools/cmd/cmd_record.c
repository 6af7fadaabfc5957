/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe record`: writes the bytes of a line to a file unchanged until the image reports the end
 * of its run.
 */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/cli.h"
#include "tools/base/interrupt.h"
#include "tools/base/printable.h"
#include "tools/cmd/commands.h"
#include "tools/stream/frame_decoder.h"
#include "tools/stream/image_refusal.h"
#include "tools/stream/port.h"
#include "tools/stream/progress.h"
#include "tools/stream/stream_file.h"
#include "tools/stream/stream_reader.h"

#define TIMEOUT      60 /* default: seconds without a byte; firmware can take 20 */
#define SECONDS_MOST 1000000000

#define QUIET  1.0  /* seconds of silence after an error message: the message is complete */
#define REPEAT 10.0 /* seconds after an error message without silence: the image reboots and repeats it */

struct arguments {
    const char *port, *file;
    unsigned long baud, seconds, timeout;
    bool progress, force;
};

struct recording {
    const struct arguments *a;
    int in;
    struct stream_file out;
    struct frame_decoder stream;
    struct progress progress;
    struct image_refusal refusal;
    double start, last_byte; /* wall clock, s: of the recording, of the last byte */
    double refused;      /* wall clock of the first error message before a run; 0: none */
    bool ended; /* END came */
    bool kept;  /* all received bytes were written */
    uint64_t status;
    char stop[PORT_WHY]; /* why it stopped before END */
};

enum { OPTION_SECONDS = 256 };

static const struct argp_option options[] = {
    {"force", 'f', NULL, 0, "replace the contents of FILE when the first byte arrives", 0},
    {"output", 'o', "FILE", 0, "write the stream to FILE; '-' is standard output", 0},
    {"progress", 'p', NULL, 0, "print the progress of the run on standard error", 0},
    {"seconds", OPTION_SECONDS, "N", 0, "stop after N seconds", 0},
    {"timeout", 't', "N", 0, "stop after N seconds without a byte (60); 0: never", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'o': a->file = text; return 0;
    case 'p': a->progress = true; return 0;
    case 'f': a->force = true; return 0;
    case OPTION_SECONDS: a->seconds = cli_number(text, 0, SECONDS_MOST, state); return 0;
    case 't': a->timeout = cli_number(text, 0, SECONDS_MOST, state); return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num)
            argp_error(state, "only one port can be read: '%s' is one too many", text);
        a->port = text;
        return 0;
    case ARGP_KEY_END:
        if (!a->port)
            argp_error(state, "PORT is missing; '-' is standard input");
        if (!a->file)
            argp_error(state, "the output file is missing: -o FILE");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

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
    const struct arguments *a = r->a;
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
    struct stream_event event;
    size_t taken = 0;

    while (taken < length && !r->ended && !r->stop[0]) {
        const uint8_t *from = bytes + taken;
        const size_t some = decoder_feed(&r->stream, from, length - taken, &event);

        refusal_add_bytes(&r->refusal, from, some);
        if (event.kind != STREAM_NOTHING)
            take_event(r, &event);
        taken += some;
    }
    r->kept &= stream_file_write(&r->out, bytes, taken, is_over, r);
}

/* Wait once and read once; false if nothing more will come. */
static bool step(struct recording *r)
{
    static uint8_t bytes[1 << 14];
    const int got = port_read(r->in, bytes, sizeof(bytes), 200, r->stop);

    if (got > 0) {
        take_bytes(r, bytes, (size_t)got);
        r->last_byte = monotonic_seconds();
    }
    return got >= 0 && r->kept;
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
    if (timeout && now - r->last_byte >= (double)timeout)
        snprintf(r->stop, sizeof(r->stop), "no byte arrived for %lu seconds", timeout);
    return r->stop[0];
}

static void run(struct recording *r)
{
    double now = r->start = r->last_byte = monotonic_seconds();

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
    if (decoder_damaged(stats) || stats->missing)
        cli_error("%s: %" PRIu64 " damaged stretches, %" PRIu64 " frames missing", port,
                  decoder_damaged(stats), stats->missing);
    else if (r->ended && !r->stop[0] && r->kept)
        return EXIT_OK;
    return EXIT_DAMAGED;
}

static int record(struct recording *r)
{
    const struct arguments *a = r->a;
    int code = EXIT_NO_DATA;

    if (!stream_file_open(&r->out, a->file, a->port, a->force))
        return EXIT_NO_DATA;
    r->in = port_open(a->port, a->baud, PORT_READ);
    if (r->in >= 0) {
        run(r);
        finish(r);
        code = verdict(r);
    }
    if (!stream_file_close(&r->out) && code == EXIT_OK)
        code = EXIT_DAMAGED;
    return code;
}

static int run_command(int argc, char **argv)
{
    struct arguments a = {.timeout = TIMEOUT};
    struct recording *r = xrealloc_array(NULL, 1, sizeof(*r));
    int code;

    subcommand_parse(&cmd_record, argc, argv, &a);
    memset(r, 0, sizeof(*r));
    r->a = &a;
    r->kept = true;
    decoder_init(&r->stream);
    interrupt_watch();
    code = record(r);
    free(r);
    return code;
}

const struct subcommand cmd_record = {
    .name = "record", .what = "record the stream of a serial line in a file", .run = run_command,
    .options = options, .parser = parse, .args_doc = "PORT -o FILE",
    .shared = {{&port_argp, offsetof(struct arguments, baud)}},
    .doc = "Record the stream of PORT (a serial line, a pty, a unix socket or '-') in FILE, until the image "
           "ends its run.\vA FILE that is not empty is overwritten only with --force.  Exit status: 0 a "
           "complete run, 1 nothing could be read or written, 3 damaged or incomplete, 4 the image stopped "
           "before its run and reported the reason.",
};
