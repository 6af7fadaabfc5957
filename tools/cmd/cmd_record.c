/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe record`: writes the bytes of a line to a file unchanged until the image reports the end
 * of its run.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/archive/emulator_run.h"
#include "tools/archive/recorder.h"
#include "tools/base/cli.h"
#include "tools/base/interrupt.h"
#include "tools/cmd/commands.h"
#include "tools/stream/port.h"

#define TIMEOUT      60 /* default: seconds without a frame; firmware can take 20 */
#define SECONDS_MOST 1000000000
#define PART_LEAST   4096

struct arguments {
    struct record_options record;
    const char *qemu;
};

/* A number with the letter of its unit: bytes with k, M, G, seconds with s, m, h. */
static void take_rotation(void *to, char *text, struct argp_state *state)
{
    static const struct { char letter; uint64_t bytes; double seconds; } units[] = {
        {'k', 1000, 0}, {'M', 1000000, 0}, {'G', 1000000000, 0}, {'s', 0, 1}, {'m', 0, 60}, {'h', 0, 3600},
    };
    struct record_options *o = to;
    const size_t digits = strspn(text, "0123456789");
    const unsigned long long number = strtoull(text, NULL, 10);

    for (size_t i = 0; digits && digits < 10 && i < sizeof(units) / sizeof(units[0]); i++)
        if (text[digits] == units[i].letter && !text[digits + 1]) {
            o->part_bytes = number * units[i].bytes;
            o->part_seconds = (double)number * units[i].seconds;
        }
    if (o->part_bytes < PART_LEAST && !(o->part_seconds >= 1.0))
        argp_error(state, "'%s' is no size of %d bytes or more and no time: 100M, 90s, 1h", text, PART_LEAST);
}

static const struct option_row options[] = {
    {"force", 'f', NULL, "replace the contents of FILE when the first byte arrives", SET_FLAG(record.force)},
    {"output", 'o', "FILE", "write the stream to FILE; '-' is standard output", SET_TEXT(record.file)},
    {"progress", 'p', NULL, "print the progress of the run on standard error", SET_FLAG(record.progress)},
    {"qemu", 0, "ARGS", "start the image in QEMU with these configuration words, and from the first '-' on arguments "
     "of QEMU, and record that; without PORT", SET_TEXT(qemu)},
    {"reopen", 0, "N", "wait N seconds for a port that is not there or has gone",
     SET_NUMBER(record.reopen, 0, SECONDS_MOST)},
    {"rotate", 0, "SIZE|TIME", "begin another file, FILE-0001 and so on, after SIZE (k, M or G bytes) or TIME (s, m "
     "or h)", CALL_AT(take_rotation, record)},
    {"seconds", 0, "N", "stop after N seconds", SET_NUMBER(record.seconds, 0, SECONDS_MOST)},
    {"timeout", 't', "N", "stop after N seconds without a frame (60); 0: never",
     SET_NUMBER(record.timeout, 0, SECONDS_MOST)},
    {"times", 0, NULL, "write when the bytes arrived to FILE.times; 'info' tells the board's clock against this "
     "host's", SET_FLAG(record.times)},
    PORT_BAUD(record.baud),
    {0},
};

static const struct argument_row port = {
    ARGUMENT(record.port), .many = "only one port can be read: '%s' is one too many",
};

static const struct option_rule rules[] = {
    {.needs = "FILE|qemu", .refusal = "PORT is missing; '-' is standard input"},
    {"qemu", .excludes = "FILE", .refusal = "--qemu has a line of its own: '%s' is one too many"},
    {.needs = "output", .refusal = "the output file is missing: -o FILE"},
    {0},
};

static void check(void *input, struct argp_state *state)
{
    const struct record_options *o = &((struct arguments *)input)->record;

    if ((o->times || o->part_bytes || o->part_seconds > 0.0) && !strcmp(o->file, "-"))
        argp_error(state, "--times and --rotate need a file: -o FILE");
}

/* The emulator runs for as long as the recording.  It says itself what was wrong. */
static int record_emulator(struct arguments *a)
{
    struct emulator_run emulator;
    bool ended;
    int code, status;

    if (!emulator_start(&emulator, a->qemu))
        return EXIT_NO_DATA;
    a->record.port = emulator.line;
    code = record_stream(&a->record, &ended);
    status = emulator_finish(&emulator, ended);
    if (ended && status && (code == EXIT_OK || code == EXIT_DAMAGED))
        return EXIT_CHECK_FAILED;
    return code;
}

static int run_command(void *arguments)
{
    struct arguments *a = arguments;
    bool ended;

    if (a->qemu && !emulator_words(a->qemu))
        return EXIT_USAGE;
    interrupt_watch();
    return a->qemu ? record_emulator(a) : record_stream(&a->record, &ended);
}

const struct subcommand cmd_record = {
    .name = "record", .what = "record the stream of a serial line in a file", .run = run_command, .live = true,
    .bytes = sizeof(struct arguments), .initial = &(const struct arguments){.record.timeout = TIMEOUT},
    .own = {options, &port, rules, check}, .args_doc = "PORT -o FILE\n--qemu ARGS -o FILE",
    .doc = "Record the stream of PORT (a serial line, a pty, a unix socket or '-') in FILE, until the image "
           "ends its run.\vA FILE that is not empty is overwritten only with --force.  Each file of --rotate can be "
           "read alone: it begins with the last HELLO and with what names and indexes mean.  Exit status: 0 a "
           "complete run, 1 nothing could be read or written, 3 damaged or incomplete, 4 the image stopped "
           "before its run and reported the reason, or the emulator ended otherwise than well.",
    .example = {"cpuprobe record /dev/ttyUSB0 -o dump"},
};
