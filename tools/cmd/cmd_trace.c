/* SPDX-License-Identifier: MIT */
/* `cpuprobe trace`: each event of a run, or each state, as a line, for people and scripts. */
#include <inttypes.h>
#include <stdio.h>

#include "probe/trace/event_class.h"
#include "tools/base/cli.h"
#include "tools/base/pager.h"
#include "tools/base/report_object.h"
#include "tools/cmd/commands.h"
#include "tools/input/joined_input.h"
#include "tools/input/timeline_input.h"
#include "tools/stream/stream_reader.h"
#include "tools/trace/durations.h"
#include "tools/trace/item_filter.h"
#include "tools/view/trace_line.h"

struct arguments {
    struct timeline_input in; /* first: its path */
    struct timeline_input beside; /* another stream of the same run; path NULL: none */
    struct item_filter filter;
    bool json, steps;
    uint64_t shown, seen[TRACE_CLASSES_END];
};

/* Where it is wrong, with the place under the expression. */
static void take_filter(void *to, char *text, struct argp_state *state)
{
    struct filter_error error;

    if (!item_filter_parse(to, text, &error))
        argp_error(state, "--filter: %s\n  %s\n  %*s^", error.why, text, (int)error.at, "");
}

static const struct option_row options[] = {
    {"filter", 0, "EXPR",
     "only what fulfils it: task=ROGUE and class=syscall,irq and duration>1ms; "
     "fields are task, class, mode, arg, time, duration", CALL_AT(take_filter, filter)},
    {"steps", 0, NULL, "the states between the events too", SET_FLAG(steps)},
    {"json", 'j', NULL, "print JSON, an object a line (docs/JSON.md)", SET_FLAG(json)},
    {"follow", 'F', NULL, "wait for more until the run ends; names as they come", SET_FLAG(in.follow)},
    {0},
};

static const struct argument_row streams = {
    ARGUMENTS(in.path, beside.path), .least = 1, .most = 2, .missing = STREAM_MISSING,
    .many = "two streams at most can be read: '%s' is one too many",
};

static void check(void *input, struct argp_state *state)
{
    const struct arguments *a = input;

    if (a->beside.path && a->in.follow)
        argp_error(state, "--follow reads one stream");
    if (a->in.follow)
        pager_disable(); /* lines are shown as they come */
}

/* Events of the stretch, and states that touch it. */
static bool is_within(const struct timeline_input *in, const struct timeline_item *item)
{
    const int64_t begin = timeline_item_begin(item), end = timeline_item_end(item);

    return end >= in->from && begin < in->to;
}

static void show(struct arguments *a, const struct timeline_input *in, struct durations *durations,
                 const struct timeline_item *item)
{
    struct duration ended[DURATION_MOST];
    const unsigned count = durations_take(durations, item, ended);
    struct trace_line line;

    if (item->kind == TIMELINE_EVENT && item->event.class < TRACE_CLASSES_END)
        a->seen[item->event.class]++;
    if (!is_within(in, item) ||
        (item->kind == TIMELINE_STEP && !a->steps && epoch_has_events(timeline_epoch(in->timeline))))
        return;
    trace_line_of(&line, in, item, count ? &ended[0] : NULL);
    line.stream = !a->beside.path ? NULL : in == &a->in ? "A" : "B";
    if (!item_filter_matches(&a->filter, &line.subject))
        return;
    a->shown++;
    if (a->json)
        trace_line_json(&line, stdout);
    else
        trace_line_print(&line, stdout);
}

#define SUMMARY_MEMBERS(M, O)                                                       \
    M(COUNT, events, "events that were read")                                       \
    M(COUNT, states, "states that were read")                                       \
    M(COUNT, shown, "lines that were printed")
REPORT_OBJECT(summary, SUMMARY_MEMBERS)

#define LAST_MEMBERS(M, O) O(OBJECT, summary, summary, "the sums, which are the last line")
REPORT_OBJECT(last, LAST_MEMBERS)

/* What was read and what of it was shown. */
static void print_summary(const struct arguments *a)
{
    struct timeline_counts total = *timeline_counts(a->in.timeline);
    const char *before = ":";

    if (a->beside.path) {
        total.events += timeline_counts(a->beside.timeline)->events;
        total.steps += timeline_counts(a->beside.timeline)->steps;
    }
    if (a->json) {
        json_print(REPORT_MAKE(last, REPORT_MAKE(summary, total.events, total.steps, a->shown)), JSON_COMPACT);
        return;
    }
    printf("# %" PRIu64 " events, %" PRIu64 " states, %" PRIu64 " shown", total.events, total.steps, a->shown);
    for (unsigned class = 0; class < TRACE_CLASSES_END; class++)
        if (a->seen[class] && trace_class_name(class)) {
            printf("%s %s %" PRIu64, before, trace_class_name(class), a->seen[class]);
            before = ",";
        }
    putchar('\n');
}

/* Both streams on the time line of the first. */
static int report_both(struct arguments *a)
{
    struct timeline_input *const in[] = {&a->in, &a->beside};
    struct durations durations[2];
    struct joined_input joined;
    struct timeline_item item;
    int which, code;

    if (!joined_input_begin(&joined, &a->in, &a->beside))
        return EXIT_NO_DATA;
    if (!a->json) {
        joined_input_print(&joined, stdout);
        trace_line_head(true, stdout);
    }
    durations_begin(&durations[0]);
    durations_begin(&durations[1]);
    while ((which = joined_input_next(&joined, &item)) >= 0)
        show(a, in[which], &durations[which], &item);
    durations_free(&durations[0]);
    durations_free(&durations[1]);
    print_summary(a);
    code = timeline_input_report(&a->in);
    which = timeline_input_report(&a->beside);
    return code > which ? code : which;
}

static int open_both(struct arguments *a)
{
    int code;

    if (!timeline_input_open(&a->beside))
        return EXIT_NO_DATA;
    code = report_both(a);
    timeline_close(a->beside.timeline);
    return code;
}

static int report_one(struct arguments *a)
{
    struct durations durations;
    struct timeline_item item;

    durations_begin(&durations);
    if (!a->json)
        trace_line_head(false, stdout);
    while (timeline_next(a->in.timeline, &item)) {
        show(a, &a->in, &durations, &item);
        if (a->in.follow)
            fflush(stdout);
    }
    durations_free(&durations);
    print_summary(a);
    return timeline_input_report(&a->in);
}

static int report(void *arguments)
{
    struct arguments *a = arguments;

    return a->beside.path ? open_both(a) : report_one(a);
}

const struct subcommand cmd_trace = {
    .name = "trace", .what = "print each event of a run as a line",
    .through = timeline_command, .run = report, .bytes = sizeof(struct arguments),
    .shared = {{&timeline_options}}, .json = {&trace_line_object, &last_object},
    .own = {options, &streams, .check = check}, .args_doc = "FILE [FILE]",
    .doc = "Print each event of a run as a line: time, task, mode, event, argument, and how long what it ends "
           "has lasted.  A run without events, but with account=log, is printed as states.  Two streams of one run "
           "are printed on the time line of the first, by the events sync of both.",
    .example = {"cpuprobe trace --filter 'task=ROGUE and duration>1us' events.dump"},
};
