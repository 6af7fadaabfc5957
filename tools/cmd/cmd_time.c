/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe time`: how long one execution takes, from a known number of them
 * (Crowe, "CPU Probes", "Accurate time measurement"), with its interval.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/execution_time.h"
#include "tools/analysis/report.h"
#include "tools/analysis/share_diff.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/input/run_input.h"
#include "tools/json/time_json.h"
#include "tools/stream/stream_reader.h"

struct arguments {
    const char *path; /* first: stream_argument sets it */
    struct run_input side;
    struct run_selection request;
    const char *function; /* NULL: the whole selection */
    double count, hits, rate; /* 0: not given */
    bool wald, json;
};

#define NO_FILE "FILE is missing; without it, give --hits and --rate"
#define NUMBER_WANTED(what) "the " what " must be a number above 0, not '%s'"

static const struct option_row options[] = {
    {"count", 0, "N", "number of executions in the run; may be a fraction",
     SET_REAL(count), .refusal = NUMBER_WANTED("count")},
    {"function", 0, "NAME",
     "measure this function, with what was inlined into it (default: all selected addresses)", SET_TEXT(function)},
    OPTION_JSON(json),
    RESOLVER_SYMBOLS(side.naming),
    {"wald", 0, NULL, "use the paper's interval (Wald's)", SET_FLAG(wald)},
    REPORT_EPOCH("epoch", side.wanted, "report epoch N of the stream, from 1"),
    {"hits", 0, "H", "without FILE, as in the paper: the number of hits",
     SET_REAL(hits), .refusal = NUMBER_WANTED("number of hits"), .group = 1},
    {"rate", 0, "HZ", "without FILE: the number of samples a second",
     SET_REAL(rate), .refusal = NUMBER_WANTED("rate"), .group = 1},
    {0},
};

/* ---- options ---- */

static const struct argument_row file = {ARGUMENT(path), .many = STREAM_MANY};

static const struct option_rule rules[] = {
    {.needs = "count", .refusal = "the number of executions is missing: --count N"},
    {.needs = "FILE|hits", .refusal = NO_FILE},
    {.needs = "FILE|rate", .refusal = NO_FILE},
    {"hits|rate", .excludes = "FILE",
     .refusal = "--hits and --rate cannot be combined with a file: '%s' has its own"},
    {0},
};

/* ---- whose time ---- */

/* `name`, or `name (in outer)`, or a function of this name around what was compiled into it. */
static bool is_of(const struct breakdown_row *row, const char *name)
{
    size_t length = strlen(name);

    if (!strncmp(row->name, name, length) &&
        (!row->name[length] || !strncmp(row->name + length, " (in ", 5)))
        return true;
    return row->symbol &&
           (!strcmp(symbols_display_name(row->symbol), name) || !strcmp(row->symbol->name, name));
}

/* Several rows as one: a transition between two of them is not a change. */
static bool tally_of_function(const struct run_input *s, const char *name, struct tally *tally)
{
    int32_t *group = xrealloc_array(NULL, s->profile.atoms + 1, sizeof(*group));
    bool found = false;

    for (size_t i = 0; i < s->profile.atoms; i++) {
        group[i] = is_of(&s->rows.row[s->rows.group[i]], name) ? 0 : -1;
        found |= group[i] == 0;
    }
    profile_group(&s->profile, group, 1, tally);
    free(group);
    return found;
}

static void tally_of_addresses(const struct run_input *s, struct tally *tally)
{
    int32_t *group = xrealloc_array(NULL, s->profile.atoms + 1, sizeof(*group));

    for (size_t i = 0; i < s->profile.atoms; i++)
        group[i] = 0;
    profile_group(&s->profile, group, 1, tally);
    free(group);
}

static bool find_tally(const struct arguments *a, struct tally *tally)
{
    const struct run_input *s = &a->side;

    if (!a->function && !a->request.low && !a->request.high) {
        *tally = s->profile.active;
    } else if (!a->function) {
        tally_of_addresses(s, tally);
    } else if (!tally_of_function(s, a->function, tally)) {
        run_input_warn_unnamed(s);
        cli_error("%s: no sample of %s is in a function '%s' (histogram --by function lists them)",
                  a->path, run_input_label(s), a->function);
        return false;
    }
    return true;
}

/* ---- how long the run was ---- */

struct elapsed {
    double units; /* of the clock */
    const char *how;
};

/*
 * Intervals begin where the handler arms the next tick.  They include the rest of the handler,
 * which no sample can hit.
 */
static double less_tails(const struct epoch *e, double intervals, double ticks)
{
    const struct wire_hello *h = &e->hello;

    return h->lead && h->lead < h->handler ? intervals - ticks * (double)(h->handler - h->lead)
                                           : intervals;
}

/* A window that the points of a schedule fill: what ticks took of it, as the start measured, no sample can hit. */
static double less_ticks(const struct epoch *e, double window, double ticks)
{
    const struct wire_hello *h = &e->hello;

    return window - ticks * (double)(h->tick ? h->tick : h->handler);
}

/* Without exact times: where points are fixed in clock time, the window tells it; else intervals, or nothing. */
static struct elapsed elapsed_by_schedule(const struct epoch *e, const struct snapshot *last)
{
    const bool known = e->has_hello && last != NULL;

    if (known && e->hello.unit)
        return (struct elapsed){less_ticks(e, (double)(last->end - last->begin), (double)last->ticks),
                                "the window, less the ticks' time as measured at the start"};
    if (known && last->intervals) {
        double sum = (double)last->intervals * (double)epoch_unit_65536(e) / 65536;

        return (struct elapsed){less_tails(e, sum, (double)last->ticks) + (double)last->excess,
                                "sum of the intervals between ticks"};
    }
    return (struct elapsed){last ? (double)(last->end - last->begin) : 0, "with the ticks' time"};
}

/* Shares are fractions of tau; without exact times tau comes from the schedule. */
static struct elapsed elapsed_of(const struct run_input *s)
{
    const struct epoch *e = s->epoch;
    const struct snapshot *last = e->snapshot;
    double ticks = (double)s->profile.samples * (e->hello.thin ? (double)e->hello.thin : 1);
    uint64_t tau = last ? snapshot_tau(last) : 0;

    if (s->profile.sums && !(last && last->final)) {
        double sum = ticks * epoch_mean(e);

        return (struct elapsed){e->hello.unit ? less_ticks(e, sum, ticks) : less_tails(e, sum, ticks),
                                "samples x mean interval"};
    }
    return tau ? (struct elapsed){(double)tau, "exact, less the ticks' own time"} : elapsed_by_schedule(e, last);
}

/* ---- the lines ---- */

static struct confidence interval_at(const struct arguments *a, const struct tally *t,
                                     enum level level)
{
    const struct profile *p = &a->side.profile;
    struct share_diff_run run = {p->estimator, p->samples, p->unresolved};

    return a->wald ? confidence_wald(t, level) : share_diff_share(&run, t, level);
}

static void print_limits(struct confidence at, double unit, double around, const char *level)
{
    char low[TIME_DIGITS], high[TIME_DIGITS];

    time_print(low, at.low / unit, around / unit);
    time_print(high, at.high / unit, around / unit);
    printf(", %s %% %s to %s", level, low, high);
}

/* One line: the time in `unit`s of elapsed, and its intervals. */
static void print_time(const struct arguments *a, const struct confidence at[LEVELS],
                       const char *heading, const char *name, double unit)
{
    const char *reason = a->wald ? NULL : a->side.profile.estimator.reason;
    double around = reason ? at[LEVEL_95].estimate : (at[LEVEL_95].high - at[LEVEL_95].low) / 2;
    char digits[TIME_DIGITS];

    time_print(digits, at[LEVEL_95].estimate / unit, around / unit);
    printf("%s%s %s", heading, digits, name);
    if (reason) {
        printf(", 95 %% n.a.: %s\n", reason);
        return;
    }
    print_limits(at[LEVEL_95], unit, around, "95");
    print_limits(at[LEVEL_999], unit, around, "99.9");
    puts(a->wald ? " (Wald)" : "");
}

static void print_head(const struct arguments *a, const struct tally *t,
                       const struct elapsed *elapsed)
{
    const struct wire_hello *h = &a->side.epoch->hello;

    printf("samples  %" PRIu64 " of %" PRIu64 " in ", t->hits, t->samples);
    if (a->function)
        printf("%s, ", a->function);
    else if (a->request.low || a->request.high)
        printf("0x%" PRIx64 " to 0x%" PRIx64 ", ", a->request.low, a->request.high);
    printf("%s\n", run_input_label(&a->side));
    if (a->side.profile.unresolved)
        printf("         %" PRIu64 " more have no known place and may be of it\n",
               a->side.profile.unresolved);
    if (h->clock_hz)
        printf("elapsed  %.6f s, %s\nclock    TSC, %" PRIu64 " Hz, measured%s\n",
               elapsed->units / (double)h->clock_hz, elapsed->how, h->clock_hz,
               h->clock_notes & 1 ? "; its rate may change" : "");
    else
        printf("elapsed  %.0f clock units, %s\n", elapsed->units, elapsed->how);
    printf("count    %.15g\n", a->count);
}

/* Besides chance. */
static void print_bias(const struct arguments *a, double bias, const char *name, double unit)
{
    const char *const room = a->side.profile.estimator.reason ? "" : ", for which its intervals have room";
    char digits[TIME_DIGITS];

    time_print(digits, bias / unit, bias / unit);
    printf("handlers ticks avoid those of other ticks: the time may be off by up to %s %s%s; "
           "with interval=exponential they do not\n", digits, name,
           a->wald ? " more than its intervals say" : room);
}

/* Percentage points by which any share may be off; NaN: not known. */
static double handler_bias(const struct epoch *e)
{
    struct table_options options;

    if (!e->snapshot || !e->snapshot->points)
        return NAN;
    options = report_options(e);
    return table_handler_bias(e->snapshot, &options);
}

static void print_text(const struct arguments *a, const struct tally *t, const struct elapsed *elapsed,
                       const struct confidence at[LEVELS], double bias)
{
    double hz = (double)a->side.epoch->hello.clock_hz, shown;
    struct time_unit unit;

    print_head(a, t, elapsed);
    shown = at[LEVEL_95].estimate > 0 ? at[LEVEL_95].estimate : at[LEVEL_95].high;
    unit = time_unit_of(hz > 0 ? shown / hz : 0);
    if (hz > 0)
        print_time(a, at, "time     ", unit.name, unit.seconds * hz);
    print_time(a, at, hz > 0 ? "         " : "time     ", "clock units", 1);
    if (handler_bias(a->side.epoch) >= TABLE_BIAS_TOLD)
        print_bias(a, bias, hz > 0 ? unit.name : "clock units", hz > 0 ? unit.seconds * hz : 1);
}

static void show(const struct arguments *a, const struct tally *t)
{
    const struct elapsed elapsed = elapsed_of(&a->side);
    struct time_report r = {
        .side = &a->side, .request = &a->request, .function = a->function, .tally = t, .count = a->count,
        .elapsed = elapsed.units, .how = elapsed.how, .wald = a->wald, .seconds = NAN,
        .handler_bias = handler_bias(a->side.epoch) / 100 * elapsed.units / a->count,
    };

    for (enum level l = 0; l < LEVELS; l++) {
        const struct confidence share = a->side.profile.estimator.reason && !a->wald
                                            ? confidence_wald(t, l) /* only the estimate is used */
                                            : interval_at(a, t, l);

        r.clocks[l] = execution_time_from_share(share, elapsed.units, a->count);
    }
    if (a->json)
        time_json(&r);
    else
        print_text(a, t, &elapsed, r.clocks, r.handler_bias);
}

/* The paper's example: 3500 hits at 960 Hz, 10 000 times. */
static int print_paper(const struct arguments *a)
{
    double seconds = execution_time_from_hits(a->hits, a->rate, a->count);
    struct time_unit unit = time_unit_of(seconds);
    char digits[TIME_DIGITS];

    if (a->json) {
        time_json(&(struct time_report){.count = a->count, .seconds = seconds});
        return EXIT_OK;
    }
    time_print(digits, seconds / unit.seconds, seconds / unit.seconds);
    printf("time     %s %s, 95 %% n.a.: it takes a recorded run\n", digits, unit.name);
    return EXIT_OK;
}

static int report(struct arguments *a)
{
    struct tally tally;

    a->side.path = a->path;
    if (!run_input_open(&a->side, &a->request, BREAKDOWN_FUNCTION) || !find_tally(a, &tally))
        return EXIT_NO_DATA;
    if (!tally.samples || elapsed_of(&a->side).units <= 0) {
        cli_error("%s does not contain the length of the run", a->path);
        return EXIT_NO_DATA;
    }
    show(a, &tally);
    return run_input_verdict(&a->side, a->request.strict);
}

static int run_command(void *arguments)
{
    struct arguments *a = arguments;
    const int code = a->path ? report(a) : print_paper(a);

    run_input_free(&a->side);
    return code;
}

const struct subcommand cmd_time = {
    .name = "time", .what = "print how long one execution of a function takes", .run = run_command,
    .bytes = sizeof(struct arguments), .initial = &(const struct arguments){.request.mode = MODES},
    .own = {options, &file, rules}, .args_doc = "FILE\n--hits H --rate HZ", .json = {&time_object},
    .shared = {{&run_selection_options, offsetof(struct arguments, request)}},
    .doc = "Print the time of one execution: the share of the samples, times the length of the run, divided by "
           "the number of executions.\vThe time of a function does not include the functions that it calls, "
           "unless they were inlined.",
    .example = {"cpuprobe time --count 1000 dump", "cpuprobe time --hits 3500 --rate 960 --count 10000"},
};
