/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe script`: each record of a stream as one line, by the descriptors of
 * probe/wire.h; damage stands where it is.
 */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/command.h"
#include "tools/input.h"

static void print_quoted(struct wire_text text)
{
    putchar('"');
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.bytes[i];

        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < ' ' || c > '~')
            printf("\\x%02x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void print_fields(const struct wire_field *field, unsigned fields, const void *from)
{
    for (unsigned i = 0; i < fields; i++) {
        const void *member = (const char *)from + field[i].offset;
        struct wire_text text;
        uint64_t number;

        printf(" %s=", field[i].name);
        if (field[i].text) {
            memcpy(&text, member, sizeof(text));
            print_quoted(text);
        } else {
            memcpy(&number, member, sizeof(number));
            printf("%" PRIu64, number);
        }
    }
}

static void print_record(const struct stream_event *event)
{
    const struct wire_record *record = wire_record(event->reader.type);
    struct wire_reader r = event->reader;
    union {
        struct wire_hello hello;
        struct wire_snapshot snapshot;
        struct wire_cells_row cells;
    } any;

    printf("%s seq=%u", record->name, r.sequence);
    wire_read_head(&r, &any);
    print_fields(record->head, record->heads, &any);
    while (wire_read_row(&r, &any)) {
        fputs(" {", stdout);
        print_fields(record->row, record->rows, &any);
        fputs(" }", stdout);
    }
    putchar('\n');
}

static void print_event(void *context, const struct stream_event *event)
{
    (void)context;
    if (event->skipped)
        printf("# %" PRIu64 " frames are missing here\n", event->skipped);
    switch (event->kind) {
    case STREAM_RECORD:
        print_record(event);
        break;
    case STREAM_UNKNOWN:
        printf("UNKNOWN seq=%u type=%u bytes=%zu\n", event->reader.sequence,
               event->reader.type, (size_t)(event->reader.end - event->reader.at));
        break;
    case STREAM_NOISE:
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

/* Whole: nothing damaged or missing, and END is the last record. */
static int verdict(const char *path, const struct stream *s)
{
    uint64_t damaged = stream_damaged(&s->stats);

    if (damaged || s->stats.missing)
        complain("%s: %" PRIu64 " damaged stretches, %" PRIu64 " frames missing", path,
                 damaged, s->stats.missing);
    if (s->stats.of_type[WIRE_END] && s->state == STREAM_PREAMBLE)
        return damaged || s->stats.missing ? EXIT_DAMAGED : EXIT_WELL;
    complain("%s: the stream does not end with an end record", path);
    return EXIT_DAMAGED;
}

int cmd_script(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = input_parse,
        .args_doc = "FILE",
        .doc = "Print each record of a recorded stream as a line, all its fields by name.",
    };
    const char *path = NULL;
    struct stream stream;
    bool read_well;

    argp_parse(&argp, argc, argv, 0, NULL, &path);
    read_well = input_decode(path, &stream, print_event, NULL);
    if (!read_well && !stream.stats.bytes)
        return EXIT_NOTHING;
    if (input_is_void(path, &stream))
        return EXIT_NOTHING;
    if (fflush(stdout) || ferror(stdout)) {
        complain("standard output cannot be written");
        return EXIT_NOTHING;
    }
    return read_well ? verdict(path, &stream) : EXIT_DAMAGED;
}
