/* SPDX-License-Identifier: MIT */
/* `cpuprobe durations`: how long calls, interrupts, waits and answers took; a table, or a histogram of one kind. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/trace/event_class.h"
#include "tools/base/cli.h"
#include "tools/base/output_file.h"
#include "tools/base/report_object.h"
#include "tools/base/saturate.h"
#include "tools/cmd/commands.h"
#include "tools/input/timeline_input.h"
#include "tools/json/report_json.h"
#include "tools/trace/durations.h"
#include "tools/view/duration_view.h"
#include "tools/view/histogram_view.h"

#define ROWS_MOST 1024 /* kinds and numbers in the table; what has no row is told */
#define PX        800

/* One line of the table: a kind and a number. */
struct sums {
    enum duration_kind kind;
    uint64_t number, count;
    int64_t total, greatest, greatest_at;
};

struct arguments {
    struct timeline_input in;   /* first: its path */
    enum duration_kind kind;    /* DURATION_KINDS: a table of all */
    bool numbered;              /* of this number alone */
    uint64_t number;
    const char *task, *svg;     /* NULL: not given */
    bool json;
    double linear;              /* width of a bucket, seconds; 0: powers of two */
    struct sums row[ROWS_MOST];
    size_t rows;
    uint64_t left_out;
    struct duration_histogram histogram;
};

static void take_kind(void *input, char *text, struct argp_state *state)
{
    struct arguments *a = input;
    char *colon = strchr(text, ':'), *end;

    if (colon) {
        errno = 0;
        a->number = strtoull(colon + 1, &end, 0);
        a->numbered = true;
        if (colon[1] < '0' || colon[1] > '9' || *end || errno)
            argp_error(state, "'%s' is no number of a call, a vector or a device", colon + 1);
        *colon = '\0';
    }
    a->kind = duration_named(text);
    if (a->kind == DURATION_KINDS)
        argp_error(state, "there is no kind '%s' of durations", text);
}

static const struct option_row options[] = {
    {"of", 0, "KIND[:N]",
     "a histogram of one kind: run, ready, sleep, latency, response, syscall, service, interrupt, tick, io or "
     "masked; of call, vector or device N alone", CALL(take_kind)},
    OPTION_JSON(json),
    {"task", 0, "NAME", "of this task alone", SET_TEXT(task)},
    {"linear", 0, "SECONDS", "buckets of this width, not powers of two", SET_SECONDS(linear)},
    {"svg", 0, "OUT.svg", "with --of: draw it as SVG, to this file; '-' is standard output", SET_TEXT(svg)},
    {0},
};

static const struct option_rule rules[] = {
    {"svg|linear", .needs = "of", .refusal = "--svg and --linear need --of"},
    {"svg", .excludes = "json", .refusal = "--json draws nothing"},
    {0},
};

/* ---- counting ---- */

static struct sums *sums_of(struct arguments *a, const struct duration *d)
{
    for (size_t r = 0; r < a->rows; r++)
        if (a->row[r].kind == d->kind && a->row[r].number == d->number)
            return &a->row[r];
    if (a->rows == ROWS_MOST)
        return NULL;
    a->row[a->rows] = (struct sums){.kind = d->kind, .number = d->number, .greatest = INT64_MIN};
    return &a->row[a->rows++];
}

static void add_to_table(struct arguments *a, const struct duration *d)
{
    struct sums *s = sums_of(a, d);

    if (!s) {
        a->left_out++;
        return;
    }
    s->count++;
    s->total = saturate_add(s->total, d->length);
    if (d->length <= s->greatest)
        return;
    s->greatest = d->length;
    s->greatest_at = d->begin;
}

static bool is_asked_for(const struct arguments *a, const struct duration *d)
{
    char name[NAME_SIZE];

    if (d->begin < a->in.from || d->begin >= a->in.to || (a->kind != DURATION_KINDS && d->kind != a->kind) ||
        (a->numbered && d->number != a->number))
        return false;
    if (!a->task)
        return true;
    if (d->task_known)
        epoch_name_of(timeline_epoch(a->in.timeline), trace_task_row(d->task), name);
    return d->task_known && !strcmp(name, a->task);
}

static void count_all(struct arguments *a)
{
    struct duration ended[DURATION_MOST];
    struct durations durations;
    struct timeline_item item;

    durations_begin(&durations);
    duration_histogram_begin(&a->histogram, a->linear > 0.0 ? (uint64_t)(a->linear * a->in.hz + 0.5) : 0);
    while (timeline_next(a->in.timeline, &item)) {
        const unsigned count = durations_take(&durations, &item, ended);

        for (unsigned i = 0; i < count; i++) {
            if (!is_asked_for(a, &ended[i]))
                continue;
            add_to_table(a, &ended[i]);
            duration_histogram_add(&a->histogram, ended[i].begin, ended[i].length);
        }
    }
    durations_free(&durations);
}

/* ---- printing ---- */

static int by_kind(const void *a, const void *b)
{
    const struct sums *one = a, *other = b;

    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    return (one->number > other->number) - (one->number < other->number);
}

static bool has_number(enum duration_kind kind)
{
    return kind == DURATION_SYSCALL || kind == DURATION_SERVICE || kind == DURATION_INTERRUPT || kind == DURATION_IO;
}

#define KIND_MEMBERS(M, O)                                                          \
    M(WORD, kind, "what was measured: run, ready, sleep and so on, as in --of")     \
    M(COUNT_OR_NULL, number, "of the call, vector or device; null: the kind has none")
#define ROW_MEMBERS(M, O)                                                           \
    KIND_MEMBERS(M, O)                                                              \
    M(COUNT, count, "how many")                                                     \
    M(REAL, total, "their sum, s")                                                  \
    M(REAL, mean, "mean length, s")                                                 \
    M(REAL, greatest, "greatest length, s")                                         \
    M(REAL, greatest_at, "when the greatest began, s since the image started")
REPORT_OBJECT(row, ROW_MEMBERS)

#define BUCKET_MEMBERS(M, O)                                                        \
    M(REAL, from, "least length, s")                                                \
    M(REAL, to, "length that is above it, s; null: the last bucket has no end")     \
    M(COUNT, count, "durations of these lengths")
REPORT_OBJECT(bucket, BUCKET_MEMBERS)

#define HISTOGRAM_MEMBERS(M, O)                                                     \
    KIND_MEMBERS(M, O)                                                              \
    M(REAL, mean, "mean length, s")                                                 \
    M(REAL, least, "least length, s")                                               \
    O(LIST, buckets, bucket, "by length, from the first with a duration to the last")
REPORT_OBJECT(histogram, HISTOGRAM_MEMBERS)

#define DURATIONS_MEMBERS(M, O)                                                     \
    M(TEXT, task, "name of the task of --task; null: all")                          \
    O(LIST, kinds, row, "one for each kind and number")                             \
    M(COUNT, left_out, "durations of more kinds and numbers than there is room for") \
    O(OBJECT_OR_NULL, histogram, histogram, "of the kind of --of; null: it was not given")
REPORT_WHOLE(durations, "cpuprobe-durations-1", DURATIONS_MEMBERS)

/* As text a vector is hexadecimal. */
static json_t *rows_json(const struct arguments *a)
{
    json_t *rows = json_array();

    for (const struct sums *s = a->row; s < a->row + a->rows; s++) {
        json_t *const row = REPORT_MAKE(
            row, .kind = duration_name(s->kind), .number = REPORT_KNOWN_IF(has_number(s->kind), s->number),
            .count = s->count, .total = (double)s->total / a->in.hz,
            .mean = (double)s->total / a->in.hz / (double)s->count, .greatest = (double)s->greatest / a->in.hz,
            .greatest_at = (double)s->greatest_at / a->in.hz);

        if (!a->json && s->kind == DURATION_INTERRUPT)
            json_object_set_new(row, "number", json_address(s->number));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* Of one kind; NULL where there are all. */
static json_t *histogram_json(const struct arguments *a)
{
    const struct duration_histogram *h = &a->histogram;
    json_t *buckets;
    unsigned first, end;

    if (a->kind == DURATION_KINDS)
        return NULL;
    buckets = json_array();
    duration_histogram_range(h, &first, &end);
    for (unsigned b = first; b < end; b++)
        REPORT_ADD(buckets, bucket, .from = (double)duration_histogram_from(h, b) / a->in.hz,
                   .to = b + 1 < DURATION_BUCKETS ? (double)duration_histogram_from(h, b + 1) / a->in.hz : NAN,
                   .count = h->bucket[b]);
    return REPORT_MAKE(histogram, .kind = duration_name(a->kind), .number = REPORT_KNOWN_IF(a->numbered, a->number),
                       .mean = (double)h->total / a->in.hz / (double)h->count, .least = (double)h->least / a->in.hz,
                       .buckets = buckets);
}

static const char text[] =
    "Kind       number       times     in all       mean   greatest  at, s\n"
    "[kinds:{kind|-10s} {number|6d|} {count|11d} {total|t} {mean|t} {greatest|t}  {greatest_at|.9f}\n]";

static bool print_histogram(const struct arguments *a)
{
    char number[32] = "", title[160];
    const struct duration_view view = {
        .histogram = &a->histogram, .title = title, .hz = a->in.hz, .columns = view_columns(VIEW_COLUMNS),
        .width = PX,
    };

    if (a->numbered)
        snprintf(number, sizeof(number), " %" PRIu64, a->number);
    snprintf(title, sizeof(title), "%s%s%s%.14s, %s", duration_name(a->kind), number, a->task ? " of " : "",
             a->task ? a->task : "", duration_what(a->kind));
    if (a->svg)
        return output_to_file(a->svg, duration_view_svg, &view);
    duration_view_print(&view, stdout);
    return true;
}

static bool show(struct arguments *a)
{
    if (!a->json && a->kind != DURATION_KINDS)
        return print_histogram(a);
    qsort(a->row, a->rows, sizeof(*a->row), by_kind);
    report_print(REPORT_MAKE(durations, .task = a->task, .kinds = rows_json(a), .left_out = a->left_out,
                             .histogram = histogram_json(a)),
                 text, a->json, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    if (a->left_out)
        cli_error("%s: %" PRIu64 " durations of more than %d kinds and numbers are left out", a->in.path, a->left_out,
                  ROWS_MOST);
    return true;
}

static int report(void *arguments)
{
    struct arguments *a = arguments;
    if (a->linear > 0.0 && a->linear * a->in.hz < 1.0) {
        cli_error("--linear: this is less than a clock unit, %.3g s", 1.0 / a->in.hz);
        return EXIT_USAGE;
    }
    count_all(a);
    if (!a->histogram.count) {
        cli_error("%s tells no such durations; monitor=events tells all kinds, account=log masked sections",
                  a->in.path);
        timeline_input_report(&a->in);
        return EXIT_NO_DATA;
    }
    return show(a) ? timeline_input_report(&a->in) : EXIT_NO_DATA;
}

const struct subcommand cmd_durations = {
    .name = "durations", .what = "print how long calls, interrupts, waits and answers took",
    .through = timeline_command, .run = report, .bytes = sizeof(struct arguments),
    .initial = &(const struct arguments){.kind = DURATION_KINDS},
    .own = {options, .rules = rules}, .shared = {{&timeline_options}}, .args_doc = "FILE",
    .json = {&durations_object},
    .doc = "Print how long system calls, services, interrupts, requests of devices and masked sections took, how "
           "long tasks ran, waited and slept, their latencies and response times: a table of all, or a histogram.",
    .example = {"cpuprobe durations events.dump", "cpuprobe durations --of latency events.dump"},
};
