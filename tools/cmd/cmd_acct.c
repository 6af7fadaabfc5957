/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe acct`: the account log.  What each task has used over the run or between any two moments,
 * which tasks are new, gone or touched, and the load from moment to moment.
 */
#include <inttypes.h>
#include <stdio.h>

#include "tools/analysis/acct_diff.h"
#include "tools/analysis/monitor_times.h"
#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/base/option_rows.h"
#include "tools/base/report_object.h"
#include "tools/base/subcommand.h"
#include "tools/cmd/commands.h"
#include "tools/json/report_json.h"

#define MICRO 1e6

struct arguments {
    struct report_arguments of; /* first: its path */
    struct moments between;
    bool all;
};

static const struct option_row options[] = {
    {"all", 0, NULL, "tasks too that used nothing", SET_FLAG(all)},
    {0},
};

static bool difference(const struct moments *m, const struct epoch *e, struct acct_diff *d)
{
    const uint64_t begin = epoch_window_begin(e), hz = e->hello.clock_hz;

    return acct_diff_make(d, e, moments_clock(m->from, begin, hz, 0), moments_clock(m->to, begin, hz, UINT64_MAX));
}

static const char *fate(const struct acct_task *t)
{
    return t->is_new ? t->gone ? "new, gone" : "new" : t->gone ? "gone" : t->touched ? "touched" : "";
}

static void print_task(const struct epoch *e, const struct acct_diff *d, const struct acct_task *t)
{
    const double window = (double)(d->to - d->from), us = MICRO / (double)e->hello.clock_hz;
    const struct wire_acct_row *r = &t->used;
    char name[NAME_SIZE];

    epoch_name_of(e, (uint32_t)r->id, name);
    printf("%5" PRIu64 " %-14s %7.3f %7.3f %7.3f %7.3f %8.3f %8" PRIu64 " %8" PRIu64 " %6" PRIu64 " %9.1f %6" PRIu64
           " %7" PRIu64 " %10.1f %10.1f %s\n", r->task, name, 100 * (double)r->user / window,
           100 * (double)r->supervisor / window, 100 * (double)r->kernel / window,
           100 * (double)r->interrupt / window, 100 * (double)acct_time(r) / window, r->switches, r->calls, r->io,
           r->io ? us * (double)r->io_time / (double)r->io : 0.0, r->pages, r->activations,
           r->activations ? us * (double)r->response / (double)r->activations : 0.0,
           us * (double)r->response_greatest, fate(t));
}

static void print_load(void *context, const struct acct_stretch *l)
{
    const struct epoch *const e = context;

    printf("# from %.6f s to %.6f s: load %.3f %%\n",
           (double)(l->from - epoch_window_begin(e)) / (double)e->hello.clock_hz,
           (double)(l->to - epoch_window_begin(e)) / (double)e->hello.clock_hz,
           l->all ? 100 * (double)(l->all - l->idle) / (double)l->all : 0.0);
}

static void print_load_of(struct epoch *e, const struct acct_diff *d)
{
    struct acct_stretch l = {.from = d->from, .to = d->to};

    for (size_t i = 0; i < d->tasks; i++) {
        const struct wire_acct_row *r = &d->task[i].used;

        l.all += acct_time(r);
        l.idle += r->id == ROW_IDLE ? acct_time(r) : 0;
    }
    print_load(e, &l);
}

/* Time of tasks from a user event to their next one. */
static void print_ranges(const struct acct_diff *d)
{
    for (unsigned event = 0; event <= WIRE_RANGE_MAX; event++)
        if (d->range[event].times || d->range[event].time)
            printf("event    %3u: %7.3f %% in %" PRIu64 " stretches\n", event,
                   d->ranged ? 100 * (double)d->range[event].time / (double)d->ranged : 0.0, d->range[event].times);
}

static void print_text(const struct arguments *a, struct epoch *e, const struct acct_diff *d)
{
    const struct wire_disk *const disk = record_last(epoch_kept(e, WIRE_DISK));
    const bool is_whole = a->between.from <= 0 && a->between.to <= 0;

    if (is_whole)
        acct_each_stretch(e, print_load, e);
    else
        print_load_of(e, d);
    puts(" task name             user%  super% kernel% interr%   total% switches    calls    I/O    I/O us  "
         "pages   activ."
         "  response us   greatest");
    for (size_t i = 0; i < d->tasks; i++)
        if (a->all || d->task[i].touched || d->task[i].gone || d->task[i].is_new)
            print_task(e, d, &d->task[i]);
    print_ranges(d);
    if (is_whole && disk) /* it counts from the boot to the end */
        printf("disk     %" PRIu64 " requests, %" PRIu64 " done, %" PRIu64 " found the queue full; "
               "busy %.3f s, %" PRIu64 " in the queue at most\n", disk->requests, disk->done, disk->refused,
               (double)disk->busy / (double)e->hello.clock_hz, disk->longest);
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct arguments *a = arguments;
    struct epoch *e = report_epoch(a->of.path, model, a->of.epoch);
    const struct wire_acct *log;
    struct acct_diff d;
    int code;

    if (!e || !report_holds(a->of.path, e, epoch_kept(e, WIRE_ACCT)->row.count, "account log", "monitor=acct"))
        return EXIT_NO_DATA;
    if (!difference(&a->between, e, &d)) {
        cli_error("%s: the account log has no two moments in this time", a->of.path);
        return EXIT_NO_DATA;
    }
    if (a->of.json)
        json_print(acct_json(e, &d), JSON_INDENT(1));
    else
        print_text(a, e, &d);
    acct_diff_free(&d);
    log = record_last(epoch_kept(e, WIRE_ACCT));
    code = report_verdict(a->of.path, stream, model, e);
    if (log->lost)
        cli_error("%" PRIu64 " records of ended tasks found no room in the image", log->lost);
    return code == EXIT_OK && log->lost ? EXIT_DAMAGED : code;
}

const struct subcommand cmd_acct = {
    .name = "acct", .what = "print what each task has used, between any two moments",
    .through = report_command, .report = report, .bytes = sizeof(struct arguments),
    .own = {options}, .args_doc = "FILE", .json = {&acct_object},
    .shared = {{&report_json_options}, {&moments_options, offsetof(struct arguments, between)}},
    .doc = "Print the account log of monitor=acct: what each task has used over the run, or between two moments; "
           "which tasks are new, gone or touched; and the load.",
    .example = {"cpuprobe acct --from 0.1 --to 0.3 monitors.dump"},
};
