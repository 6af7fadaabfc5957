/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe procstat`: load levels by the tick counters of monitor=procstat, between any two readings, by both
 * ways to compute them (Stefanov and Gradskov 2016, section 1), beside the exact table.
 */
#include <string.h>

#include "tools/analysis/procstat_diff.h"
#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/base/option_rows.h"
#include "tools/base/report_object.h"
#include "tools/base/subcommand.h"
#include "tools/cmd/commands.h"
#include "tools/json/report_json.h"
#include "tools/trace/run_queue.h"
#include "tools/view/procstat_json.h"

struct arguments {
    struct report_arguments of; /* first: its path */
    struct moments between;
};

static const char text[] =
    "# from {begin|.6f} s to {end|.6f} s, {hz} ticks a second: {passed|.1f} passed, {ticks} were charged\n"
    "mode       ticks  1/100 s    level%  elapsed%    exact%\n"
    "[modes:{#|-7s} {ticks|8d} {told|8d} {level|9.3r|n.a.} {elapsed|9.3r|n.a.} {exact|9.3r|n.a.}\n]"
    "busy                      {busy|9.3r|n.a.} {busy_elapsed|9.3r|n.a.} {busy_exact|9.3r|n.a.}\n"
    "task           nice     user   system    level%\n"
    "[tasks:{name|-14s} {nice|4d} {user|8d} {system|8d} {level|9.3r|n.a.}\n]"
    "load averages[averages: {.}] at the last reading\n"
    "[queue?exact        [queue.exact: {.|.2f}] of the run queue, {queue.mean|.2f} long on the average; "
    "{queue.looks} looks at random are off by[queue.noise: {.|.2f}] (one deviation)\n]"
    /* What the readings of the texts cost, and how precise a level of the stretch can be. */
    "a level moves in steps of {step|.3f} points, over the time that passed of {step_elapsed|.3f}; random ticks "
    "leave it +-{random|.3f} (95 %)\n"
    "[reads:{file|-14s} read {reads} times, {bytes/reads|.0f} bytes and {mean*1000000|.3f} us each, "
    "{least*1000000|.3f} at least\n]";

/* When the counters began. */
static uint64_t begin_of(const struct epoch *e)
{
    const struct wire_procstat *const first = record_head(epoch_kept(e, WIRE_PROCSTAT), 0);

    return first->begin;
}

/* What only the text has. */
static json_t *more_text(const struct epoch *e, const struct procstat_diff *d)
{
    const double begin = (double)begin_of(e), hz = (double)e->hello.clock_hz;
    json_t *const averages = json_array();

    for (unsigned i = 0; i < LOAD_AVERAGES; i++) {
        char average[TEXT_BUF_SIZE];
        struct text_buf b = TEXT_BUF(average);

        load_average_print(&b, d->load[i]);
        json_array_append_new(averages, json_string(average));
    }
    return json_pack("{so so so}", "begin", json_finite(((double)d->from - begin) / hz), "end",
                     json_finite(((double)d->to - begin) / hz), "averages", averages);
}

static const char *const schema_word[] = {"cpuprobe-procstat-1", NULL};

#define PROCSTAT_MEMBERS(M, O)                                                      \
    O(PART, levels, procstat_levels, "")                                            \
    O(OBJECT_OR_NULL, queue, run_queue, "the exact run queue up to the last look of the kernel; null: the " \
                                        "stream has no events of it") \
    O(WORD, schema, schema_word, "of the report")                                   \
    M(COUNT, clock_hz, "frequency of the clock units, Hz")
REPORT_SHARED(procstat, PROCSTAT_MEMBERS)

static void print(bool as_json, const struct epoch *e, const struct procstat_diff *d, const struct run_queue *q)
{
    json_t *const whole = REPORT_MAKE(procstat, procstat_json(e, d), run_queue_json(q), *schema_word,
                                      e->hello.clock_hz);

    if (!as_json)
        json_object_update_new(whole, more_text(e, d));
    report_print(whole, text, as_json, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}

static bool difference(const struct moments *m, const struct epoch *e, struct procstat_diff *d)
{
    const uint64_t begin = begin_of(e), hz = e->hello.clock_hz;

    return procstat_diff_make(d, e, moments_clock(m->from, begin, hz, 0),
                              moments_clock(m->to, begin, hz, UINT64_MAX));
}

/*
 * The exact run queue up to the last reading, where the stream has events of it; they are read again from the file.
 */
static bool read_queue(struct run_queue *q, const struct arguments *a, unsigned long number, const struct epoch *e,
                       const struct procstat_diff *d)
{
    const int64_t begin = (int64_t)begin_of(e), end = (int64_t)d->to;
    struct timeline *t;
    struct timeline_item item;

    if (!(e->words.monitor & MONITOR_EVENTS) || strcmp(a->of.path, "-") == 0 ||
        !run_queue_begin(q, (double)e->hello.clock_hz, d->hz, begin, end))
        return false;
    t = timeline_open(a->of.path, &(struct timeline_request){.epoch = number});
    if (!t) {
        run_queue_free(q);
        return false;
    }
    while (timeline_next(t, &item) && timeline_item_begin(&item) <= end)
        run_queue_take(q, &item);
    run_queue_finish(q, end);
    timeline_close(t);
    if (!q->any || q->gaps)
        run_queue_free(q);
    return q->any && !q->gaps;
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct arguments *a = arguments;
    struct epoch *e = report_epoch(a->of.path, model, a->of.epoch);
    struct procstat_diff d;
    struct run_queue queue;
    bool exact;

    if (!e || !report_holds(a->of.path, e, epoch_kept(e, WIRE_PROCSTAT)->head.count,
                            "tick counters", "monitor=procstat"))
        return EXIT_NO_DATA;
    if (!difference(&a->between, e, &d)) {
        cli_error("%s has no two readings of the counters between these moments", a->of.path);
        return EXIT_NO_DATA;
    }
    exact = read_queue(&queue, a, e->number, e, &d);
    print(a->of.json, e, &d, exact ? &queue : NULL);
    if (exact)
        run_queue_free(&queue);
    procstat_diff_free(&d);
    return report_verdict(a->of.path, stream, model, e);
}

const struct subcommand cmd_procstat = {
    .name = "procstat", .what = "print load levels by the tick counters, and load averages",
    .through = report_command, .report = report, .bytes = sizeof(struct arguments),
    .shared = {{&report_json_options}, {&moments_options, offsetof(struct arguments, between)}}, .args_doc = "FILE",
    .json = {&procstat_object},
    .doc = "Print load levels by the tick counters of monitor=procstat, between any two readings, by both ways "
           "to compute them, beside the exact table.",
    .example = {"cpuprobe procstat load.dump"},
};
