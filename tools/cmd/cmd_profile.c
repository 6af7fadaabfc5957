/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe profile`: the calls and times that an instrumented program counted, beside its samples,
 * and beside those of the same program without the instrumentation.
 */
#include "tools/view/profile_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/base/json_value.h"
#include "tools/cmd/commands.h"

#define NAME_WIDTH 26

/* A task, its samples in user mode and its names. */
struct side {
    const char *wanted; /* its name; NULL: not given */
    uint32_t id;
    char name[NAME_SIZE];
    struct symbol_resolver naming;
    struct profile samples;
    bool sampled;
};

struct arguments {
    struct report_arguments of; /* first: its path */
    struct side task, plain;
    bool strict;
};

static const struct option_row options[] = {
    {"task", 0, "NAME", "the instrumented task (else the first that counted calls)", SET_TEXT(task.wanted)},
    {"beside", 0, "NAME", "the task that runs the same program without instrumentation", SET_TEXT(plain.wanted)},
    {"symbols", 's', "FILE|DIR", "names from this file or folder; repeat it for more",
     CALL_BOTH(resolver_take, task.naming, plain.naming)},
    {"strict", 0, NULL, "exit 4 where damage gives 3", SET_FLAG(strict)},
    {0},
};

/* ---- the lines ---- */

static void print_share(const struct sampled_share *s)
{
    if (isnan(s->percent))
        printf("   %6s %12s", "n.a.", "");
    else if (isnan(s->low))
        printf("   %6.2f %12s", s->percent, "n.a.");
    else
        printf("   %6.2f %6.2f-%5.2f", s->percent, s->low, s->high);
}

static void print_times(const struct profile_report *r, const struct call_profile_row *row)
{
    const double ms = r->hz > 0.0 ? 1e3 / r->hz : NAN;

    if (!row->counted) {
        printf(" %9s %9s %9s %6s %6s", "-", "-", "-", "-", "-");
        return;
    }
    printf(" %9" PRIu64 " %9.2f %9.2f %6.2f %6.2f", row->calls, row->inclusive * ms, row->exclusive * ms, row->share,
           row->net_share);
}

static void print_row(const struct profile_report *r, const struct call_profile_row *row)
{
    char address[24];

    snprintf(address, sizeof(address), "0x%" PRIx64, row->function);
    printf("%-*s", NAME_WIDTH, row->name ? row->name : address);
    print_times(r, row);
    print_share(&row->sampled);
    if (r->plain) {
        print_share(&row->plain);
        if (row->counted && !isnan(row->plain.percent))
            printf(" %+7.2f", row->share - row->plain.percent);
    }
    puts(row->impossible ? " impossible" : "");
}

static void print_rows(const struct profile_report *r)
{
    printf("\n%-*s %9s %9s %9s %6s %6s   %6s %-12s", NAME_WIDTH, "Function", "Calls", "Incl. ms", "Excl. ms", "Excl.%",
           "Net %", "Smpl.%", "95 %");
    printf(r->plain ? "   %6s %-12s %7s\n" : "\n", "Plain%", "95 %", "Bent");
    printf("%-*s %9s %9s %9s %6s %6s   %6s %12s", NAME_WIDTH, "========", "=====", "========", "========", "======",
           "======", "======", "============");
    printf(r->plain ? "   %6s %12s %7s\n" : "\n", "======", "============", "=======");
    for (size_t i = 0; i < r->profile->rows; i++)
        if (r->profile->row[i].counted || r->profile->row[i].sampled.hits)
            print_row(r, &r->profile->row[i]);
}

/* Names of functions that were not counted, whose code calls the hook or not. */
static void print_names(const char *what, const struct call_profile *c, bool instrumented)
{
    const char *comma = "";

    for (size_t i = 0; i < c->rows; i++)
        if (!c->row[i].counted && c->row[i].instrumented == instrumented) {
            printf("%s%s", *comma ? comma : what, c->row[i].name);
            comma = ", ";
        }
    if (*comma)
        puts("");
}

static void print_text(const struct profile_report *r)
{
    const struct wire_calls *const head = &r->calls->head;
    const double s = r->hz > 0.0 ? 1.0 / r->hz : NAN;

    printf("task     %s: %" PRIu64 " calls in %.3f s of its time, from %.3f to %.3f s\n", r->task, r->profile->calls,
           (double)head->ran * s, (double)head->since * s, (double)head->time * s);
    printf("cost     a call %.1f ns, of which %.1f ns count as the function's: %.2f %% of that time\n",
           r->profile->call_cost * 1e9 * s, (double)head->inside / WIRE_CALLS_COST * 1e9 * s, r->profile->cost_share);
    if (head->deep || head->lost)
        printf("lost     %" PRIu64 " calls nested too deep, %" PRIu64 " of functions without a row\n", head->deep,
               head->lost);
    print_rows(r);
    puts("");
    print_names("never called      ", r->profile, true);
    print_names("not instrumented  ", r->profile, false);
}

/* ---- the report ---- */

/* Its samples in user mode, where there are any, and its names. */
static void open_side(struct side *s, const struct epoch *e)
{
    const struct profile_request request = {.task = s->id, .mode = MODE_USER};
    const bool has_samples = e->samples || (e->snapshot && e->snapshot->regions);

    epoch_name_of(e, s->id, s->name);
    resolver_choose(&s->naming, e, s->id, true);
    s->sampled = has_samples && profile_make(&s->samples, e, &request);
}

/* False, with a message, if there is no such task, or none that counted calls. */
static bool choose_tasks(struct arguments *a, const struct epoch *e)
{
    if (!e->calls.count) {
        cli_error("%s: no program counted its calls in this epoch: a workload with instrumented programs does (tasks=nested)",
                  a->of.path);
        return false;
    }
    a->task.id = (uint32_t)e->calls.of[0].head.id;
    if (a->task.wanted && !profile_task(e, a->task.wanted, &a->task.id))
        return false;
    if (a->plain.wanted && !profile_task(e, a->plain.wanted, &a->plain.id))
        return false;
    if (!call_record_of(&e->calls, a->task.id)) {
        cli_error("%s: the program of %s counted no calls", a->of.path, a->task.wanted);
        return false;
    }
    return true;
}

/* True: there is nothing to warn of. */
static bool warn_rows(const char *path, const struct call_profile *c)
{
    if (c->missing)
        cli_error("%s: %" PRIu64 " rows of functions did not arrive, or are more than a table has", path, c->missing);
    if (c->impossible)
        cli_error("%s: %zu functions have times that cannot be: the program wrote them", path, c->impossible);
    return !c->missing && !c->impossible;
}

static int show(const struct arguments *a, const struct epoch *e)
{
    const struct call_record *const calls = call_record_of(&e->calls, a->task.id);
    const bool beside = a->plain.wanted != NULL;
    const struct call_profile_sources from = {
        .calls = calls, .naming = &a->task.naming, .sampled = a->task.sampled ? &a->task.samples : NULL,
        .plain = a->plain.sampled ? &a->plain.samples : NULL, .plain_naming = beside ? &a->plain.naming : NULL,
    };
    struct call_profile profile;
    bool sound;
    const struct profile_report r = {&profile, calls, a->task.name, beside ? a->plain.name : NULL,
                                     (double)e->hello.clock_hz};

    if (!call_profile_make(&profile, &from))
        return EXIT_NO_DATA;
    if (a->of.json)
        json_print(profile_json(&r), JSON_INDENT(1));
    else
        print_text(&r);
    sound = warn_rows(a->of.path, &profile);
    call_profile_free(&profile);
    return sound ? EXIT_OK : EXIT_DAMAGED;
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    struct arguments *const a = arguments;
    struct epoch *const e = report_epoch(a->of.path, model, a->of.epoch);
    int code, shown;

    if (!e || !choose_tasks(a, e))
        return EXIT_NO_DATA;
    open_side(&a->task, e);
    if (a->plain.wanted)
        open_side(&a->plain, e);
    shown = show(a, e);
    if (shown == EXIT_NO_DATA)
        return shown;
    code = report_verdict(a->of.path, stream, model, e);
    return code ? code : shown;
}

static int run_command(int argc, char **argv)
{
    struct arguments a = {0};
    int code;

    resolver_init(&a.task.naming);
    resolver_init(&a.plain.naming);
    subcommand_parse(&cmd_profile, argc, argv, &a);
    code = report_file(&a, a.strict, report);
    if (a.task.sampled)
        profile_free(&a.task.samples);
    if (a.plain.sampled)
        profile_free(&a.plain.samples);
    resolver_free(&a.task.naming);
    resolver_free(&a.plain.naming);
    return code;
}

const struct subcommand cmd_profile = {
    .name = "profile", .what = "print calls and times that a program counted", .run = run_command,
    .own = {options}, .shared = {{&report_json_options}}, .args_doc = "FILE", .json = {&profile_object},
    .doc = "Print what an instrumented program counted of its own calls and times, beside its samples."
           "\v'cpuprobe run' profiles a program that is not instrumented.",
    .example = {"cpuprobe profile --symbols build/tasks calls.dump"},
};
