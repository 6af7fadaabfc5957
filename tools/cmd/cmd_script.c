/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe script`: each record of a stream as one line, by the descriptors of
 * probe/stream/wire.h; damage is shown where it occurs.  With --symbols addresses become names of
 * functions, also in the text of output=text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/stats/snapshot_frames.h"
#include "probe/stream/wire_fields.h"
#include "tools/analysis/report.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/printable.h"
#include "tools/cmd/commands.h"
#include "tools/model/stream_model.h"
#include "tools/records/plain_report.h"
#include "tools/stream/stream_reader.h"
#include "tools/symbols/symbols.h"

struct script {
    const char *path; /* first: stream_argument sets it */
    const char **symbol_path;
    size_t symbol_paths;
    struct symbol_set symbols;
    struct frame_decoder stream;
    struct plain_text text;
    unsigned long wanted; /* epoch; 0: all */
    bool snapshots;       /* print what a DELTA stands for */
    struct model model;   /* to find the records of the wanted epoch, and what a DELTA stands for */
    uint64_t deltas[2];   /* of each source: snapshots so far that came as deltas */
    uint16_t sequence;    /* of the frame that is printed */
    char *build; /* build id of the last HELLO, compared with the symbols; NULL: none came */
};

static void take_symbols(void *input, char *path, struct argp_state *state)
{
    struct script *script = input;

    (void)state;
    APPEND(script->symbol_path, script->symbol_paths, path);
}

#undef OPTION_INPUT
#define OPTION_INPUT struct script

static const struct option_row options[] = {
    {"symbols", 's', "FILE.elf", "print addresses as function names of this file; may be repeated",
     CALL(take_symbols)},
    REPORT_EPOCH("epoch", wanted, "print only the records of epoch N, from 1"),
    {"snapshots", 0, NULL, "print behind each DELTA the records of the snapshot that it makes", SET_FLAG(snapshots)},
    {0},
};

/* Fields that are addresses of code: the names of their functions are printed. */
static bool is_code(enum wire_type type, const struct wire_field *field)
{
    return type == WIRE_FAULT && (!strcmp(field->name, "pc") || !strcmp(field->name, "address"));
}

static void print_code(const struct script *script, uint64_t address)
{
    char *name = symbol_set_name(&script->symbols, address);

    if (name)
        printable_escaped(stdout, name, strlen(name), "");
    else
        printf("0x%" PRIx64, address);
    free(name);
}

/* Addresses, and texts that contain them, by the symbols; the rest as any record is printed. */
static bool print_named(void *context, const struct wire_record *record, const struct wire_field *field,
                        const void *member)
{
    const struct script *script = context;
    struct wire_text text;
    uint64_t number;
    char *annotated;

    if (!script->symbols.files || !(record->type == WIRE_TEXT ? field->text : is_code(record->type, field)))
        return false;
    if (!field->text) {
        memcpy(&number, member, sizeof(number));
        print_code(script, number);
        return true;
    }
    memcpy(&text, member, sizeof(text));
    annotated = symbol_set_annotate(&script->symbols, text.bytes, text.length, &text.length);
    putchar('"');
    printable_escaped(stdout, annotated, text.length, "\"\\");
    putchar('"');
    free(annotated);
    return true;
}

/* HELLO is repeated: a warning is due if the build id changes. */
static void check_build(struct script *script, struct wire_text build)
{
    if (script->build && strlen(script->build) == build.length &&
        !memcmp(script->build, build.bytes, build.length))
        return;
    script->build = xrealloc_array(script->build, build.length + 1, 1);
    memcpy(script->build, build.bytes, build.length);
    script->build[build.length] = '\0';
    symbol_set_compare(&script->symbols, script->build);
}

static void print_record(struct script *script, struct wire_reader r)
{
    const struct wire_record *record = wire_record(r.type);
    const struct plain_line line = {stdout, print_named, script};
    union wire_head head;
    union wire_row row;

    printf("%s seq=%u", record->name, r.sequence);
    wire_read_head(&r, &head);
    plain_put_head(&line, record, &head);
    while (wire_read_row(&r, &row))
        plain_put_row(&line, record, &row);
    putchar('\n');
    if (r.type == WIRE_HELLO)
        check_build(script, head.hello.build);
}

/* The epoch of the record that came last: of the first or the second source. */
static const struct epoch *epoch_of(const struct script *script, uint64_t id)
{
    const struct epoch *e = script->model.epochs ? script->model.epoch[script->model.epochs - 1] : NULL;

    return e && id & WIRE_SECOND ? e->second_source : e;
}

static uint64_t deltas_of(const struct epoch *e)
{
    return e ? e->deltas : 0;
}

static uint32_t no_program(void *script, uint32_t id)
{
    (void)script;
    (void)id;
    return 0;
}

static void print_frame(void *script, struct wire_writer *w)
{
    const struct script *const of = script;

    print_record(script, (struct wire_reader){
        .type = (enum wire_type)w->bytes[0], .sequence = of->sequence, .at = w->bytes + 3,
        .end = w->bytes + w->length,
    });
}

/* A DELTA, and the snapshot if this was its last part. */
static void print_delta(struct script *script, const struct stream_event *event)
{
    struct wire_reader r = event->reader;
    struct wire_writer frame;
    struct wire_delta head;
    const struct epoch *e;

    wire_read_head(&r, &head);
    e = epoch_of(script, head.epoch);
    if (!e || !e->snapshot || e->snapshot->serial != head.serial ||
        deltas_of(e) == script->deltas[!!(head.epoch & WIRE_SECOND)])
        return;
    script->deltas[!!(head.epoch & WIRE_SECOND)] = e->deltas;
    script->sequence = event->reader.sequence;
    snapshot_send(e->snapshot, &(struct snapshot_sender){
        .epoch = head.epoch, .program_of = no_program, .send = print_frame, .context = script, .frame = &frame,
        .unnamed = true,
    });
}

/* What the sequence did not tell may be missing anywhere since the last one. */
static bool is_sent(const struct stream_event *event)
{
    return event->kind == STREAM_RECORD && event->reader.type == WIRE_SENT;
}

static void print_event(void *context, const struct stream_event *event)
{
    struct script *script = context;

    if (script->wanted || script->snapshots)
        model_add_event(&script->model, event);
    if (script->wanted && script->model.epochs != script->wanted)
        return;
    if (event->skipped)
        printf("# %" PRIu64 " frames are missing %s\n", event->skipped,
               is_sent(event) ? "in all since the SENT before" : "here");
    if (event->unsure)
        puts("# an unknown number of frames is missing here: a multiple of 65536 more");
    switch (event->kind) {
    case STREAM_RECORD:
        print_record(script, event->reader);
        if (script->snapshots && event->reader.type == WIRE_DELTA)
            print_delta(script, event);
        break;
    case STREAM_UNKNOWN:
        printf("UNKNOWN seq=%u type=%u bytes=%zu\n", event->reader.sequence,
               event->reader.type, (size_t)(event->reader.end - event->reader.at));
        break;
    case STREAM_NOISE:
        if (event->length == script->stream.stats.bytes)
            break; /* the whole file, so not a preamble: a message at the end tells what it is */
        printf("# preamble: %" PRIu64 " bytes at %" PRIu64 "\n", event->length, event->offset);
        break;
    case STREAM_DAMAGED:
        printf("# damaged (%s): %" PRIu64 " bytes at %" PRIu64 "\n",
               damage_name(event->damage), event->length, event->offset);
        break;
    default:
        break;
    }
}

/* Whether the stream is complete: nothing damaged or missing, and END is the last record. */
static int verdict(const struct script *script)
{
    const struct frame_decoder *s = &script->stream;
    const bool lost = stream_loss_print(script->path, &s->stats);

    if (s->stats.of_type[WIRE_END] && s->state == STREAM_PREAMBLE)
        return lost ? EXIT_DAMAGED : EXIT_OK;
    cli_error("%s: the stream does not end with an end record", script->path);
    return EXIT_DAMAGED;
}

/* The beginnings of lines that output=text prints besides the table. */
static bool is_printed(const struct script *script)
{
    static const char opening[] = "cpuprobe: ";
    const struct plain_text *text = &script->text;

    return script->symbols.files && text->length && !script->stream.stats.frames &&
           (script->stream.looks_like_text ||
            memmem(text->bytes, text->length, opening, sizeof(opening) - 1));
}

static void print_lines(const struct script *script)
{
    size_t size;
    char *text = symbol_set_annotate(&script->symbols, script->text.bytes, script->text.length,
                                     &size);
    const char *next, *end = text + size;

    for (const char *line = text; line < end; line = next + 1) {
        size_t length;

        next = memchr(line, '\n', (size_t)(end - line));
        if (!next)
            next = end;
        length = (size_t)(next - line);
        while (length && line[length - 1] == '\r')
            length--;
        printable_escaped(stdout, line, length, "");
        putchar('\n');
    }
    free(text);
}

/* Text has no checksum; only a cut line and bytes that never occur in a line show damage. */
static int text_verdict(const struct script *script)
{
    const struct plain_text *text = &script->text;
    bool cut = text->bytes[text->length - 1] != '\n';
    bool foreign = memchr(text->bytes, '\0', text->length);

    if (foreign)
        cli_error("%s: the text holds zero bytes: it is damaged", script->path);
    if (cut)
        cli_error("%s: the text ends within a line", script->path);
    return foreign || cut ? EXIT_DAMAGED : EXIT_OK;
}

static int report(struct script *script)
{
    bool printed;

    stream_decode_text(script->path, &script->stream, print_event, script, &script->text);
    printed = is_printed(script);
    if (printed)
        print_lines(script);
    else if (stream_has_no_frames(script->path, &script->stream))
        return EXIT_NO_DATA;
    if (script->wanted > script->model.epochs) {
        model_find_epoch(script->path, &script->model, script->wanted);
        return EXIT_NO_DATA;
    }
    if (script->stream.failed)
        return EXIT_DAMAGED;
    return printed ? text_verdict(script) : verdict(script);
}

static int run_command(void *arguments)
{
    struct script *script = arguments;
    int code = EXIT_OK;

    script->model.skips_samples = script->model.skips_changes = true;
    for (size_t i = 0; i < script->symbol_paths && code == EXIT_OK; i++)
        if (!symbol_set_add(&script->symbols, script->symbol_path[i]))
            code = EXIT_NO_DATA;
    if (code == EXIT_OK)
        code = report(script);
    model_free(&script->model);
    free(script->text.bytes);
    free(script->build);
    symbol_set_free(&script->symbols);
    free(script->symbol_path);
    return code;
}

const struct subcommand cmd_script = {
    .name = "script", .what = "print each record of a stream as a line", .run = run_command,
    .bytes = sizeof(struct script),
    .own = {options, &stream_argument}, .args_doc = "FILE",
    .doc = "Print each record of a recorded stream as a line, all its fields by name."
           "\vWith --symbols the text of output=text is printed too, line by line.",
    .example = {"cpuprobe script dump | grep SNAPSHOT"},
};
