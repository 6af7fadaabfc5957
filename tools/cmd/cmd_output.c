/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe output`: what the programs of a run wrote, byte by byte,
 * to standard output and standard error as they did.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/cli.h"
#include "tools/base/printable.h"
#include "tools/cmd/commands.h"
#include "tools/stream/stream_reader.h"

#define STANDARD_ERROR 2 /* of OUTPUT's descriptors; any other is output */

struct output {
    const char *path; /* first: stream_argument sets it */
    const char *task; /* NULL: all */
    struct frame_decoder stream;
    bool terminal[2]; /* standard output, standard error */
};

#undef OPTION_INPUT
#define OPTION_INPUT struct output

static const struct option_row options[] = {
    {"task", 0, "NAME", "print only what this task wrote", SET_TEXT(task)},
    {0},
};

/* A terminal obeys control characters; a file gets each byte. */
static void put(FILE *to, struct wire_text bytes, bool terminal)
{
    const char *line = bytes.bytes, *const end = bytes.bytes + bytes.length, *next;

    if (!terminal) {
        fwrite(bytes.bytes, 1, bytes.length, to);
        return;
    }
    for (; line < end; line = next) {
        next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next : end;
        printable_escaped(to, line, (size_t)(next - line), "");
        if (next < end) {
            putc('\n', to);
            next++;
        }
    }
}

static void print_event(void *context, const struct stream_event *event)
{
    const struct output *o = context;
    struct wire_reader r = event->reader;
    struct wire_output w;
    bool errors;

    if (event->kind != STREAM_RECORD || r.type != WIRE_OUTPUT || !wire_read_head(&r, &w))
        return;
    if (o->task && (strlen(o->task) != w.name.length || memcmp(o->task, w.name.bytes, w.name.length)))
        return;
    errors = w.descriptor == STANDARD_ERROR;
    put(errors ? stderr : stdout, w.bytes, o->terminal[errors]);
    fflush(errors ? stderr : stdout);
}

/* Whether frames are missing, some of which may have been output. */
static int verdict(const struct output *o)
{
    if (!stream_loss_print(o->path, &o->stream.stats))
        return EXIT_OK;
    if (!o->stream.stats.lost.outputs)
        cli_error("%s: output may be missing too", o->path);
    return EXIT_DAMAGED;
}

static int run_command(void *arguments)
{
    struct output *o = arguments;

    o->terminal[0] = isatty(STDOUT_FILENO);
    o->terminal[1] = isatty(STDERR_FILENO);
    stream_decode_quietly(o->path, &o->stream, print_event, o);
    if (stream_has_no_frames(o->path, &o->stream))
        return EXIT_NO_DATA;
    return o->stream.failed ? EXIT_DAMAGED : verdict(o);
}

const struct subcommand cmd_output = {
    .name = "output", .what = "print what the programs of a run wrote", .run = run_command,
    .bytes = sizeof(struct output),
    .own = {options, &stream_argument}, .args_doc = "FILE",
    .doc = "Print what programs of files (tasks=file:NAME) wrote, to standard output and standard error as they did."
           "\vOn a terminal control characters are shown as \\xNN; a file gets each byte as it was written.",
    .example = {"cpuprobe output dump > written.txt"},
    .live = true,
};
