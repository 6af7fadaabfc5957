/* SPDX-License-Identifier: MIT */
/* `cpuprobe samples`: each raw sample as a line of blank-separated columns, for scripts and people. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/model/stream_model.h"
#include "tools/samples/sample_reader.h"
#include "tools/timeline/epoch_pass.h"

/* printf() takes most of the time where millions of samples are printed, and most of that for the seconds. */

#define SAMPLE_TEXT_NAMES 256u /* names of tasks that are remembered; a power of two */
#define SAMPLE_TEXT_LINE  256u

struct sample_text {
    const struct epoch *e;
    bool timed; /* print the times: all are known, and so is the rate of the clock */
    struct sample_text_name {
        uint32_t task;
        uint8_t length; /* 0: none yet */
        char text[NAME_SIZE];
    } name[SAMPLE_TEXT_NAMES];
};

#define EXACT_MOST 4503599627370496.0 /* 2^52: below it a double has a bit for the half */

static char *put(char *to, const char *text, size_t length)
{
    memcpy(to, text, length);
    return to + length;
}

static char *put_number(char *to, uint64_t n)
{
    char digits[20], *at = digits + sizeof(digits);

    do
        *--at = (char)('0' + n % 10);
    while (n /= 10);
    return put(to, at, (size_t)(digits + sizeof(digits) - at));
}

static char *put_hex(char *to, uint64_t n)
{
    char digits[16], *at = digits + sizeof(digits);

    do
        *--at = "0123456789abcdef"[n & 15];
    while (n >>= 4);
    return put(to, at, (size_t)(digits + sizeof(digits) - at));
}

/*
 * "%.6f" of a number that is not below 0; `to` has room for 32 bytes.  Returns the end of the digits.  The product of
 * a double and a million is rounded; fma() tells what was cut, so that the digits are those of printf().
 */
static char *sample_text_seconds(char *to, double seconds)
{
    const double millionths = seconds * 1e6, cut = fma(seconds, 1e6, -millionths);
    uint64_t n;
    double rest;

    if (!(millionths < EXACT_MOST))
        return to + snprintf(to, 32, "%.6f", seconds);
    n = (uint64_t)millionths;
    rest = millionths - (double)n;
    if (cut < 0.0 && rest == 0.0) {
        n--;
        rest = 1.0;
    }
    n += rest > 0.5 || (rest == 0.5 && (cut > 0.0 || (cut == 0.0 && n & 1)));
    to = put_number(to, n / 1000000);
    *to++ = '.';
    n %= 1000000;
    for (unsigned i = 6; i-- > 0; n /= 10)
        to[i] = (char)('0' + n % 10);
    return to + 6;
}

static const struct sample_text_name *name_of(struct sample_text *t, uint32_t task)
{
    struct sample_text_name *name = &t->name[task % SAMPLE_TEXT_NAMES];

    if (!name->length || name->task != task) {
        epoch_name_of(t->e, task, name->text);
        name->task = task;
        name->length = (uint8_t)strlen(name->text);
    }
    return name;
}

static char *put_mode(char *to, enum mode mode)
{
    const char *name = mode_name(mode);

    return put(to, name, strlen(name));
}

static char *put_place(struct sample_text *t, char *to, const struct resolved_sample *s)
{
    const struct sample_text_name *name = name_of(t, s->place.task);

    to = put(to, name->text, name->length);
    *to++ = ' ';
    to = put_mode(to, s->place.mode);
    *to++ = ' ';
    *to++ = (char)('0' + s->place.delay);
    *to++ = ' ';
    *to++ = (char)('0' + (s->pair && s->follows));
    to = put(to, " 0x", 3);
    return put_hex(to, s->place.pc);
}

static void sample_text_begin(struct sample_text *t, const struct epoch *e)
{
    memset(t, 0, sizeof(*t));
    t->e = e;
    t->timed = e->samples && e->samples->timed && e->hello.clock_hz;
}

/*
 * Write the line with its newline into `line` of SAMPLE_TEXT_LINE bytes; returns its length.  A dash is an unknown
 * value: no time in the stream, or a place that never arrived.
 */
static size_t sample_text_line(struct sample_text *t, const struct resolved_sample *s, char *line)
{
    char *to = put_number(line, s->tick);

    *to++ = ' ';
    if (t->timed)
        to = sample_text_seconds(to, (double)s->time / (double)t->e->hello.clock_hz);
    else
        *to++ = '-';
    *to++ = ' ';
    to = s->place.known ? put_place(t, to, s) : put(to, "- - - - -", 9);
    *to++ = '\n';
    return (size_t)(to - line);
}

static void print_sample(void *context, const struct resolved_sample *s)
{
    char line[SAMPLE_TEXT_LINE];

    fwrite_unlocked(line, 1, sample_text_line(context, s, line), stdout);
}

static bool print_all(struct epoch_pass *p)
{
    static struct sample_text text;

    sample_text_begin(&text, epoch_pass_epoch(p));
    puts("# tick seconds task mode late pair pc");
    return epoch_pass_run(p, &(struct epoch_sink){.context = &text, .on_sample = print_sample});
}

static int report(void *arguments, struct epoch_pass *p)
{
    const struct report_arguments *a = arguments;
    const struct epoch *e = epoch_pass_epoch(p);

    if (!e->samples) {
        cli_error("%s holds no raw samples: boot the image with monitor=samples", a->path);
        return EXIT_NO_DATA;
    }
    if (!print_all(p))
        return EXIT_NO_DATA;
    return report_verdict(a->path, epoch_pass_stream(p), epoch_pass_model(p), e);
}

const struct subcommand cmd_samples = {
    .name = "samples", .what = "print each raw sample as a line",
    .through = pass_command, .pass = report, .bytes = sizeof(struct report_arguments),
    .shared = {{&report_text_options}}, .args_doc = "FILE",
    .doc = "Print each raw sample of the last complete run, or of an epoch, as a line.",
    .example = {"cpuprobe samples dump | head -5"},
};
