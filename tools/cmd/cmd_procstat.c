/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe procstat`: load levels by the tick counters of monitor=procstat, between any two readings, by both
 * ways to compute them (Stefanov and Gradskov 2016, section 1), beside the exact table.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/analysis/procstat_diff.h"
#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/base/json_value.h"
#include "tools/base/moments.h"
#include "tools/trace/run_queue.h"
#include "tools/cmd/commands.h"
#include "tools/view/procstat_json.h"

struct arguments {
    struct report_arguments of; /* first: its path */
    struct moments between;
};

static void print_share(double percent)
{
    char text[FORMAT_DIGITS];

    printf(" %9s", format_real(text, percent, 3, ""));
}

static void print_modes(const struct procstat_diff *d)
{
    puts("mode       ticks  1/100 s    level%  elapsed%    exact%");
    for (unsigned m = 0; m < TICK_MODES; m++) {
        printf("%-7s %8" PRIu64 " %8" PRIu64, tick_mode_name((enum tick_mode)m), d->mode[m].ticks, d->mode[m].told);
        print_share(d->mode[m].level);
        print_share(d->mode[m].elapsed);
        print_share(d->mode[m].exact);
        putchar('\n');
    }
    printf("busy    %8s %8s", "", "");
    print_share(d->busy);
    print_share(d->busy_elapsed);
    print_share(d->busy_exact);
    putchar('\n');
}

static void print_tasks(const struct epoch *e, const struct procstat_diff *d)
{
    puts("task           nice     user   system    level%");
    for (size_t i = 0; i < d->tasks; i++) {
        const struct procstat_used *const u = &d->task[i];
        char name[NAME_SIZE];

        epoch_name_of(e, u->id, name);
        printf("%-14s %4d %8" PRIu64 " %8" PRIu64, name, u->nice, u->user, u->system);
        print_share(u->level);
        putchar('\n');
    }
}

static void print_load(const struct procstat_diff *d)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    buf_text(&b, "load averages");
    for (unsigned i = 0; i < LOAD_AVERAGES; i++) {
        buf_char(&b, ' ');
        load_average_print(&b, d->load[i]);
    }
    printf("%s at the last reading\n", text);
}

static void print_exact_load(const struct run_queue *q)
{
    const struct run_queue_look *const last = q->looks ? &q->look[q->looks - 1] : NULL;

    if (!last)
        return;
    printf("exact        ");
    for (unsigned i = 0; i < LOAD_AVERAGES; i++)
        printf(" %.2f", last->average[i]);
    printf(" of the run queue, %.2f long on the average; %zu looks at random are off by", run_queue_mean(q), q->looks);
    for (unsigned i = 0; i < LOAD_AVERAGES; i++)
        printf(" %.2f", run_queue_noise(q, i));
    puts(" (one deviation)");
}

/* When the counters began. */
static uint64_t begin_of(const struct epoch *e)
{
    const struct wire_procstat *const first = record_head(epoch_kept(e, WIRE_PROCSTAT), 0);

    return first->begin;
}

/* What the readings of the texts cost, and how precise a level of the stretch can be. */
static void print_costs(const struct epoch *e, const struct procstat_diff *d)
{
    const double us = 1e6 / (double)e->hello.clock_hz;

    printf("a level moves in steps of %.3f points, over the time that passed of %.3f; random ticks leave it +-%.3f (95 %%)\n",
           d->step, d->step_elapsed, d->random);
    for (unsigned f = 0; f < TICK_USAGE_FILES; f++) {
        const struct wire_procreads_row *const r = record_row_of(epoch_kept(e, WIRE_PROCREADS), f);

        if (r)
            printf("%-14s read %" PRIu64 " times, %.0f bytes and %.3f us each, %.3f at least\n", tick_usage_file(f), r->reads,
                   (double)r->bytes / (double)r->reads, us * (double)r->time / (double)r->reads, us * (double)r->least);
    }
}

static void print_text(const struct epoch *e, const struct procstat_diff *d, const struct run_queue *q)
{
    const double begin = (double)begin_of(e), hz = (double)e->hello.clock_hz;

    printf("# from %.6f s to %.6f s, %" PRIu64 " ticks a second: %.1f passed, %" PRIu64 " were charged\n",
           ((double)d->from - begin) / hz, ((double)d->to - begin) / hz, d->hz, d->passed, d->sum);
    print_modes(d);
    print_tasks(e, d);
    print_load(d);
    if (q)
        print_exact_load(q);
    print_costs(e, d);
}

static const char *const schema_word[] = {"cpuprobe-procstat-1", NULL};

#define PROCSTAT_MEMBERS(M, O)                                                      \
    O(PART, levels, procstat_levels, "")                                            \
    O(OBJECT_OR_NULL, queue, run_queue, "the exact run queue up to the last look of the kernel; null: the " \
                                        "stream has no events of it") \
    O(WORD, schema, schema_word, "of the report")                                   \
    M(COUNT, clock_hz, "frequency of the clock units, Hz")
REPORT_SHARED(procstat, PROCSTAT_MEMBERS)

static void print_json(const struct epoch *e, const struct procstat_diff *d, const struct run_queue *q)
{
    json_print(REPORT_MAKE(procstat, procstat_json(e, d), run_queue_json(q), *schema_word, e->hello.clock_hz),
               JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}

static bool difference(const struct moments *m, const struct epoch *e, struct procstat_diff *d)
{
    const uint64_t begin = begin_of(e), hz = e->hello.clock_hz;

    return procstat_diff_make(d, e, moments_clock(m->from, begin, hz, 0), moments_clock(m->to, begin, hz, UINT64_MAX));
}

/* The exact run queue up to the last reading, where the stream has events of it; they are read again from the file. */
static bool read_queue(struct run_queue *q, const struct arguments *a, unsigned long number, const struct epoch *e, const struct procstat_diff *d)
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
    exact = read_queue(&queue, a, (unsigned long)(e - model->epoch) + 1, e, &d);
    (a->of.json ? print_json : print_text)(e, &d, exact ? &queue : NULL);
    if (exact)
        run_queue_free(&queue);
    procstat_diff_free(&d);
    return report_verdict(a->of.path, stream, model, e);
}

static int run_command(int argc, char **argv)
{
    struct arguments a = {0};

    subcommand_parse(&cmd_procstat, argc, argv, &a);
    return report_file(&a, false, report);
}

const struct subcommand cmd_procstat = {
    .name = "procstat", .what = "print load levels by the tick counters, and load averages", .run = run_command,
    .shared = {{&report_json_options}, {&moments_options, offsetof(struct arguments, between)}}, .args_doc = "FILE",
    .json = {&procstat_object},
    .doc = "Print load levels by the tick counters of monitor=procstat, between any two readings, by both ways to compute "
           "them, beside the exact table.",
    .example = {"cpuprobe procstat load.dump"},
};
