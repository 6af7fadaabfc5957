/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe record`: the bytes of a line into a file, as they are, until the
 * image says that its run is over.
 */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/input.h"
#include "tools/port.h"
#include "tools/progress.h"
#include "tools/stream.h"

#define PATIENCE 60 /* default: seconds without a byte; firmware alone can take 20 */

struct arguments {
    const char *port, *file;
    unsigned long baud, seconds, timeout;
    bool progress;
};

struct recording {
    int in, out;
    struct stream stream;
    struct progress progress;
    bool ended; /* END came */
    uint64_t status;
    char stop[PORT_WHY]; /* why it stopped before END */
};

static volatile sig_atomic_t interrupted;

static void note_signal(int number)
{
    (void)number;
    interrupted = 1;
}

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "where to keep the stream; '-' is standard output", 0},
    {"progress", 'p', NULL, 0, "tell on standard error how far the run is", 0},
    {"seconds", 's', "N", 0, "stop after N seconds", 0},
    {"timeout", 't', "N", 0, "give up after N seconds without a byte, 60; 0: never", 0},
    {0},
};

static unsigned long number(const char *text, struct argp_state *state)
{
    char *end;
    unsigned long n;

    errno = 0;
    n = strtoul(text, &end, 10);
    if (errno || *end || end == text || *text == '-' || n > 1000000000)
        argp_error(state, "'%s' is not a number that fits here", text);
    return n;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->baud; return 0;
    case 'o': a->file = text; return 0;
    case 'p': a->progress = true; return 0;
    case 's': a->seconds = number(text, state); return 0;
    case 't': a->timeout = number(text, state); return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num)
            argp_error(state, "one port at a time: '%s' is too much", text);
        a->port = text;
        return 0;
    case ARGP_KEY_END:
        if (!a->port)
            argp_error(state, "which PORT? '-' is standard input");
        if (!a->file)
            argp_error(state, "where to? -o FILE");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static double wall(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void take_event(struct recording *r, const struct stream_event *event)
{
    struct wire_reader reader = event->reader;
    struct wire_end end;

    progress_take(&r->progress, event, wall());
    if (event->kind == STREAM_VERSION)
        snprintf(r->stop, sizeof(r->stop),
                 "the image speaks version %" PRIu64 " of the protocol; this tool knows %d",
                 event->major, WIRE_MAJOR);
    if (event->kind != STREAM_RECORD || reader.type != WIRE_END)
        return;
    wire_read_head(&reader, &end);
    r->ended = true;
    r->status = end.status;
    if (end.status)
        snprintf(r->stop, sizeof(r->stop), "the image reported failure: %.*s",
                 (int)(end.reason.length < 100 ? end.reason.length : 100), end.reason.bytes);
}

/* Keep what was read, up to the zero that ends END. */
static void take_bytes(struct recording *r, const uint8_t *bytes, size_t length)
{
    struct stream_event event;
    size_t i;

    for (i = 0; i < length && !r->ended && !r->stop[0]; i++) {
        stream_pump(&r->stream, bytes[i], &event);
        if (event.kind != STREAM_NOTHING)
            take_event(r, &event);
    }
    port_write(r->out, bytes, i, r->stop);
}

/* One wait and one read; false where there is nothing more to come. */
static bool step(struct recording *r, double *heard)
{
    static uint8_t bytes[1 << 14];
    const int got = port_read(r->in, bytes, sizeof(bytes), 200, r->stop);

    if (got > 0) {
        *heard = wall();
        take_bytes(r, bytes, (size_t)got);
    }
    return got >= 0;
}

static void run(struct recording *r, const struct arguments *a)
{
    double start = wall(), heard = start, now = start;

    while (!r->ended && !r->stop[0] && step(r, &heard)) {
        now = wall();
        if (a->progress)
            progress_show(&r->progress, now, false);
        if (interrupted)
            strcpy(r->stop, "interrupted");
        else if (a->seconds && now - start >= (double)a->seconds)
            snprintf(r->stop, sizeof(r->stop), "the %lu seconds are over", a->seconds);
        else if (a->timeout && now - heard >= (double)a->timeout)
            snprintf(r->stop, sizeof(r->stop), "nothing came for %lu seconds", a->timeout);
    }
    if (a->progress)
        progress_show(&r->progress, now, true);
}

static int verdict(struct recording *r, const struct arguments *a)
{
    struct stream_event last;

    stream_finish(&r->stream, &last);
    if (last.kind != STREAM_NOTHING)
        take_event(r, &last);
    if (r->stop[0] || !r->ended)
        complain("%s: %s%s", a->port, r->stop, r->ended ? "" : "; the run has no end record");
    if (r->stream.state == STREAM_REFUSED)
        return EXIT_NOTHING;
    if (!r->stream.stats.frames) {
        input_is_void(a->port, &r->stream);
        return EXIT_NOTHING;
    }
    if (stream_damaged(&r->stream.stats) || r->stream.stats.missing)
        complain("%s: %" PRIu64 " damaged stretches, %" PRIu64 " frames missing", a->port,
                 stream_damaged(&r->stream.stats), r->stream.stats.missing);
    else if (r->ended && !r->stop[0])
        return EXIT_WELL;
    return EXIT_DAMAGED;
}

int cmd_record(int argc, char **argv)
{
    static const struct argp_child children[] = {{&port_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .children = children,
        .args_doc = "PORT -o FILE",
        .doc = "Keep the stream of PORT, a serial line, a pty, a unix socket or '-', in FILE, "
               "until the image ends its run.",
    };
    struct arguments a = {.timeout = PATIENCE};
    struct sigaction on_signal = {.sa_handler = note_signal};
    struct recording *r = need(NULL, 1, sizeof(*r));
    int code = EXIT_NOTHING;

    argp_parse(&argp, argc, argv, 0, NULL, &a);
    memset(r, 0, sizeof(*r));
    stream_init(&r->stream);
    sigaction(SIGINT, &on_signal, NULL);
    sigaction(SIGTERM, &on_signal, NULL);
    r->in = port_open(a.port, a.baud, PORT_READ);
    r->out = STDOUT_FILENO;
    if (r->in >= 0 && strcmp(a.file, "-"))
        r->out = open(a.file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (r->in >= 0 && r->out < 0)
        complain("%s cannot be written: %s", a.file, strerror(errno));
    if (r->in >= 0 && r->out >= 0) {
        run(r, &a);
        code = verdict(r, &a);
    }
    if (r->out > STDOUT_FILENO && close(r->out) && code == EXIT_WELL) {
        complain("%s cannot be written: %s", a.file, strerror(errno));
        code = EXIT_DAMAGED;
    }
    free(r);
    return code;
}
