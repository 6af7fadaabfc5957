/* SPDX-License-Identifier: MIT */
/* `cpuprobe masked`: who keeps interrupts off, for how long at worst, when and where. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/report_object.h"
#include "tools/base/saturate.h"
#include "tools/cmd/commands.h"
#include "tools/input/timeline_input.h"
#include "tools/json/report_json.h"
#include "tools/trace/masked_stretches.h"
#include "tools/view/late_places.h"

#define FUNCTIONS_MOST 20

struct arguments {
    struct timeline_input in; /* first: its path */
    bool json;
    unsigned longest;         /* stretches that are printed one by one */
    struct masked_stretches stretches;
    struct late_places late;
    int64_t begin, end;       /* of the items */
};

static const struct option_row options[] = {
    OPTION_JSON(json),
    {"longest", 0, "N", "print the N longest stretches, up to 20 (5)", SET_NUMBER(longest, 0, MASKED_LONGEST)},
    RESOLVER_SYMBOLS(late.naming),
    {0},
};

static void read_stretches(struct arguments *a)
{
    struct timeline_item item;

    a->begin = INT64_MAX;
    a->end = INT64_MIN;
    while (timeline_input_next(&a->in, &item)) {
        const int64_t begin = timeline_item_begin(&item), end = timeline_item_end(&item);

        a->begin = begin < a->begin ? begin : a->begin;
        a->end = end > a->end ? end : a->end;
        masked_stretches_take(&a->stretches, &item);
    }
    masked_stretches_sort(&a->stretches);
}

/* Read the stretches again: of each function the longest at whose end a late tick arrived. */
static struct masked_stretch *longest_by_function(struct arguments *a)
{
    struct masked_stretch *longest = xcalloc(a->late.rows.rows + 1, sizeof(*longest));
    struct masked_stretches *again = xcalloc(1, sizeof(*again));
    struct timeline_item item;

    while (a->stretches.sums && timeline_next(a->in.timeline, &item)) {
        const struct masked_stretch *s = masked_stretches_take(again, &item);
        const size_t row = s ? late_places_row(&a->late, s->begin + s->length) : SIZE_MAX;

        if (row < a->late.rows.rows && s->length > longest[row].length)
            longest[row] = *s;
    }
    free(again);
    return longest;
}

/* ---- the report ---- */

#define CAUSE_MEMBERS(M, O)                                                         \
    M(WORD, cause, "what kept interrupts off")                                      \
    M(COUNT, count, "stretches")                                                    \
    M(REAL, total, "their time, s")                                                 \
    M(REAL, mean, "mean length, s")                                                 \
    M(REAL, longest, "length of the longest, s")                                    \
    M(REAL, longest_at, "begin of the longest, s since the image started")          \
    M(REAL, percent, "their part of the time, percent")
REPORT_OBJECT(cause, CAUSE_MEMBERS)

#define STRETCH_MEMBERS(M, O)                                                       \
    M(REAL, seconds, "length, s")                                                   \
    M(REAL, from, "begin, s since the image started")                               \
    M(TEXT, task, "name of the task that ran; null: not known")                     \
    M(WORD, cause, "what kept interrupts off")                                      \
    M(TEXT, function, "where the late tick at its end arrived; null: none did")
REPORT_OBJECT(stretch, STRETCH_MEMBERS)

#define FUNCTION_MEMBERS(M, O)                                                      \
    M(TEXT, function, "name of the function")                                       \
    M(COUNT, ticks, "ticks there that were late, or found interrupts off")          \
    M(REAL, percent, "their part of all ticks, percent")
#define LATE_MEMBERS(M, O)                                                          \
    FUNCTION_MEMBERS(M, O)                                                          \
    M(REAL, longest, "longest stretch at whose end a tick arrived there, s; null: none is told") \
    M(REAL, from, "begin of that, s since the image started")
REPORT_OBJECT(late, LATE_MEMBERS)

#define NMI_MEMBERS(M, O)                                                           \
    FUNCTION_MEMBERS(M, O)                                                          \
    M(COUNT, in_a_row, "most ticks one after the other")                            \
    M(REAL, from, "when the first of these came, s since the image started; null: their times are not known") \
    M(REAL, to, "when the last of these came, s since the image started")
REPORT_OBJECT(nmi, NMI_MEMBERS)

#define MASKED_MEMBERS(M, O)                                                        \
    O(LIST, causes, cause, "stretches with interrupts off by cause, the largest total first") \
    O(LIST, longest, stretch, "the longest stretches one by one, as many as --longest says") \
    O(LIST_OR_NULL, late, late, "functions in which late ticks arrived; null: none did, or ticks are NMI") \
    O(LIST_OR_NULL, nmi, nmi, "functions in which ticks as NMI found interrupts off; null: the ticks are no NMI") \
    M(COUNT_OR_NULL, nmi_ticks, "ticks that told whether interrupts were off; null: the ticks are no NMI")
REPORT_WHOLE(masked, "cpuprobe-masked-1", MASKED_MEMBERS)

static double seconds_of(const struct arguments *a, int64_t time)
{
    return (double)time / a->in.hz;
}

static json_t *cause_json(const struct arguments *a, const struct masked_sum *s)
{
    char cause[40];

    masked_cause_name(s->longest.cause, s->longest.number, cause);
    return REPORT_MAKE(cause, .cause = cause, .count = s->count, .total = seconds_of(a, s->total),
                       .mean = seconds_of(a, s->total) / (double)s->count,
                       .longest = seconds_of(a, s->longest.length), .longest_at = seconds_of(a, s->longest.begin),
                       .percent = 100.0 * (double)s->total / ((double)a->end - (double)a->begin));
}

static json_t *stretch_json(const struct arguments *a, const struct masked_stretch *s)
{
    const size_t row = late_places_row(&a->late, s->begin + s->length);
    char cause[40], task[NAME_SIZE];

    masked_cause_name(s->cause, s->number, cause);
    if (s->task_known)
        epoch_name_of(timeline_epoch(a->in.timeline), s->task, task);
    return REPORT_MAKE(stretch, .seconds = seconds_of(a, s->length), .from = seconds_of(a, s->begin),
                       .task = s->task_known ? task : NULL, .cause = cause,
                       .function = row < a->late.rows.rows ? a->late.rows.row[row].name : NULL);
}

static size_t functions_of(const struct arguments *a)
{
    return a->json || a->late.rows.rows < FUNCTIONS_MOST ? a->late.rows.rows : FUNCTIONS_MOST;
}

/*
 * Those at which late ticks arrived: the longest stretch whose end one marked; a tick waits in proportion to the time
 * for which a function keeps interrupts off.  NULL: there are none.
 */
static json_t *late_json(struct arguments *a)
{
    struct masked_stretch *longest;
    json_t *list;

    if (!a->late.any || a->late.nmi || !timeline_rewind(a->in.timeline))
        return NULL;
    longest = longest_by_function(a);
    list = json_array();
    for (size_t i = 0; i < functions_of(a); i++) {
        const struct breakdown_row *r = &a->late.rows.row[i];
        const struct masked_stretch *s = &longest[i];

        REPORT_ADD(list, late, .function = r->name, .ticks = r->tally.hits,
                   .percent = percent_of((double)r->tally.hits, (double)a->late.samples),
                   .longest = s->length ? seconds_of(a, s->length) : NAN,
                   .from = s->length ? seconds_of(a, s->begin) : NAN);
    }
    free(longest);
    return list;
}

/* Those in which ticks as NMI found interrupts off; NULL: there are none. */
static json_t *nmi_json(const struct arguments *a)
{
    const struct late_places *p = &a->late;
    struct masked_streak *streak;
    json_t *list;

    if (!p->any || !p->nmi)
        return NULL;
    streak = xrealloc_array(NULL, p->rows.rows + 1, sizeof(*streak));
    late_places_streaks(p, streak);
    list = json_array();
    for (size_t i = 0; i < functions_of(a); i++) {
        const struct breakdown_row *r = &p->rows.row[i];
        const struct masked_streak *s = &streak[i];

        REPORT_ADD(list, nmi, .function = r->name, .ticks = r->tally.hits,
                   .percent = percent_of((double)r->tally.hits, (double)p->samples),
                   .in_a_row = s->samples, .from = s->begin ? seconds_of(a, (int64_t)s->begin) : NAN,
                   .to = s->begin ? seconds_of(a, (int64_t)s->end) : NAN);
    }
    free(streak);
    return list;
}

static const char text[] =
    "[causes?Cause                        times     in all       mean    longest  at, s         % of the time\n"
    "[causes:{cause|-22s} {count|11d} {total|t} {mean|t} {longest|t}  {longest_at|.9f} {percent|7.3f}\n]]"
    "[longest?\nLongest     from, s      task           cause                  function where a late tick arrived\n"
    "[longest:{seconds|t}  {from|.9f}  {task|-14s} {cause|-22s} {function}\n]]"
    "[late?\nFunction where late ticks arrived         late ticks  % of all    longest  from, s\n"
    "[late:{function|-40s} {ticks|11d} {percent|9.3f} [longest?{longest|t}  {from|.9f}]\n]]"
    "[nmi_ticks?Of {nmi_ticks} ticks that came as NMI {found} found interrupts off ({found/nmi_ticks*100|.3f} %).\n\n"
    "Function that keeps interrupts off             ticks  % of all  in a row  from, s      to, s\n"
    "[nmi:{function|-40s} {ticks|11d} {percent|9.3f} {in_a_row|9d}[from?  {from|.9f}  {to|.9f}]\n]]";

static void print_report(struct arguments *a)
{
    json_t *causes = json_array(), *longest = json_array(), *whole;

    for (size_t i = 0; i < a->stretches.sums; i++)
        json_array_append_new(causes, cause_json(a, &a->stretches.sum[i]));
    for (size_t i = 0; i < a->stretches.longests && i < a->longest; i++)
        json_array_append_new(longest, stretch_json(a, &a->stretches.longest[i]));
    whole = REPORT_MAKE(masked, .causes = causes, .longest = longest, .late = late_json(a), .nmi = nmi_json(a),
                        .nmi_ticks = REPORT_KNOWN_IF(a->late.nmi, a->late.samples));
    if (!a->json)
        json_object_set_new(whole, "found", json_count(a->late.profile.active.hits));
    report_print(whole, text, a->json, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}

static int report(void *arguments)
{
    struct arguments *a = arguments;
    int code;

    read_stretches(a);
    code = timeline_input_report(&a->in);
    late_places_read(&a->late, a->in.timeline);
    if (a->stretches.sums || a->late.any)
        print_report(a);
    else {
        cli_error("%s tells of no masked sections: boot the image with account=log, with monitor=events "
                  "events=all, or with monitor=samples", a->in.path);
        code = EXIT_NO_DATA;
    }
    late_places_free(&a->late);
    return code;
}

const struct subcommand cmd_masked = {
    .name = "masked", .what = "print who keeps interrupts off, and for how long at worst",
    .run = report, .through = timeline_command, .bytes = sizeof(struct arguments),
    .initial = &(const struct arguments){.longest = 5},
    .own = {options}, .shared = {{&timeline_options}}, .args_doc = "FILE", .json = {&masked_object},
    .doc = "Print who keeps interrupts off: stretches by cause, from account=log or events=all; the longest with "
           "their times; and the functions in which ticks arrived late, or, as NMI, found them off, "
           "from monitor=samples.",
    .example = {"cpuprobe masked log.dump"},
};
