/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe profile`: the calls and times that an instrumented program counted, beside its samples,
 * and beside those of the same program without the instrumentation.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/analysis/call_profile.h"
#include "tools/analysis/profile.h"
#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/base/report_object.h"
#include "tools/cmd/commands.h"
#include "tools/json/report_json.h"
#include "tools/view/profile_json.h"

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
    REPORT_STRICT(strict),
    {0},
};

/* ---- the lines ---- */

/* A share with its interval, where it has one. */
#define SHARE(of)                                                                    \
    "   [" of ".percent!  n.a.             ][" of ".percent?{" of ".percent|6.2f} "  \
    "[" of ".low!        n.a.][" of ".low?{" of ".low|6.2f}-{" of ".high|5.2f}]]"

static const char text[] =
    "task     {task}: {calls} calls in {ran|.3f|n.a.} s of its time, from {since|.3f|n.a.} to {read|.3f|n.a.} s\n"
    "cost     a call {call_cost*1000000000|.1f|n.a.} ns, of which {inside|.1f|n.a.} ns count as the function's: "
    "{cost_percent|.2f|n.a.} % of that time\n[deep+lost?lost     {deep} calls nested too deep, {lost} of functions "
    "without a row\n]\n"
    "Function                       Calls  Incl. ms  Excl. ms Excl.%  Net %   Smpl.% 95 %        "
    "[beside?   Plain% 95 %            Bent]\n"
    "========                       =====  ========  ======== ====== ======   ====== ============"
    "[beside?   ====== ============ =======]\n"
    "[functions:[counted+sampled.hits?[name?{name|-26s}][name!{address|-26s}]"
    "[counted? {calls|9d} {inclusive*1000|9.2f|n.a.} {exclusive*1000|9.2f|n.a.} {percent|6.2f} {net_percent|6.2f}]"
    "[counted!         -         -         -      -      -]"
    SHARE("sampled") "[beside?" SHARE("plain")
    "[counted?[plain.percent? {percent-plain.percent|+7.2f}]]][impossible? impossible]\n]]\n";

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

static void print_text(json_t *report, const struct profile_report *r)
{
    const struct wire_calls *const head = record_last(r->calls);
    const double inside = (double)head->inside / WIRE_CALLS_COST * 1e9 / r->hz;

    json_object_set_new(report, "calls", json_count(r->profile->calls));
    json_object_set_new(report, "inside", json_finite(inside));
    report_text(report, text, stdout);
    json_decref(report);
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
    const struct record_store *const first = epoch_kept(e, WIRE_CALLS);

    if (!first->head.count) {
        cli_error("%s: no program counted its calls in this epoch: a workload with instrumented programs does "
                  "(tasks=nested)", a->of.path);
        return false;
    }
    a->task.id = record_head_id(first);
    if (a->task.wanted && !profile_task(e, a->task.wanted, &a->task.id))
        return false;
    if (a->plain.wanted && !profile_task(e, a->plain.wanted, &a->plain.id))
        return false;
    if (!epoch_kept_of(e, WIRE_CALLS, a->task.id)) {
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
    const struct record_store *const calls = epoch_kept_of(e, WIRE_CALLS, a->task.id);
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
        print_text(profile_json(&r), &r);
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

static int run_command(void *arguments)
{
    struct arguments *a = arguments;
    const int code = report_file(a, a->strict, report);

    if (a->task.sampled)
        profile_free(&a->task.samples);
    if (a->plain.sampled)
        profile_free(&a->plain.samples);
    resolver_free(&a->task.naming);
    resolver_free(&a->plain.naming);
    return code;
}

const struct subcommand cmd_profile = {
    .name = "profile", .what = "print calls and times that a program counted", .run = run_command,
    .bytes = sizeof(struct arguments),
    .own = {options}, .shared = {{&report_json_options}}, .args_doc = "FILE", .json = {&profile_object},
    .doc = "Print what an instrumented program counted of its own calls and times, beside its samples."
           "\v'cpuprobe run' profiles a program that is not instrumented.",
    .example = {"cpuprobe profile --symbols build/tasks calls.dump"},
};
