/* SPDX-License-Identifier: MIT */
/* `cpuprobe audit`: whether the ticks of a run are those of its generator, and what did not arrive. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/analysis/audit.h"
#include "tools/analysis/report.h"
#include "tools/analysis/report_pass.h"
#include "tools/base/cli.h"
#include "tools/base/json_value.h"
#include "tools/cmd/commands.h"
#include "tools/json/audit_json.h"
#include "tools/json/report_text.h"
#include "tools/json/stream_json.h"

static const char text[] =
    "ticks      {ticks}[replay?, interval={replay.interval} seed={replay.seed}; generator and sum agree in "
    "{replay.agreed} of {replay.snapshots} snapshots][replay!, n.a.: [given_up_at?too many to be drawn again]"
    "[given_up_at!the words make no schedule that is known]]\n"
    "samples    {samples}[unit? of {points|d|0} points; {in_handler|d|0} points fell into handlers of ticks]\n"
    "[unit!missed     {missed.masked|.1f|0.0} while masked, {missed.overrun} overrun, {missed.source} by the source\n"
    "]"
    "lost       {lost.table} in the table, {lost.ring} in the ring\n"
    "damaged    {damaged} stretches, {damage.missing} frames missing in {damage.gaps} gaps\n"
    "lateness   {lateness.in_time} in time (within {lateness.within_us|.1f|0.0} us), {lateness.late} late "
    "({lateness.rows}), {lateness.all_us|.1f|0.0} us in all\n[lateness.buckets:           {low|10.1f} to "
    "{high|10.1f} us {ticks|8d}\n]"
    "[window?window     {window.seconds|.6f} s from the first arming, {window.from_first_tick|.6f|0.000000} from the "
    "first tick, to the last[window.unaccounted?; not accounted for: {window.unaccounted|+.6f}]\n]"
    "[raw?raw        {raw.told} told, {raw.arrived} arrived, {raw.lost} found no room, {raw.absent} absent, "
    "{raw.twice} twice\n"
    "[intervals!intervals  n.a.: {incomparable}\n]"
    "[intervals?[unit?points     {intervals.checked} samples checked one by one, {intervals.excused} of them late; "
    "{arrivals} arrivals measured, {shortest|+.1f} to {longest|+.1f} us after their points\n]"
    "[unit!intervals  {intervals.checked} checked one by one, {intervals.excused} of them late or after a look; the "
    "others {shortest|+.1f} to {longest|+.1f} us off[intervals.spanned?; {intervals.spanned} stretches of several]\n"
    "]]]"
    "phase      [phase!n.a.: needs raw samples with times, and a system clock]"
    "[phase?of the system clock: {phase.covered} of {phase.parts} parts covered, {phase.least_percent|.2f} to "
    "{phase.most_percent|.2f} % of the samples in each; chi-square {phase.chi_square|.1f}: "
    "[phase.parts-phase.covered?ticks never come at some phases]"
    "[phase.parts-phase.covered![phase.even?even][phase.even!uneven]]]\n"
    "[rate?rate       {rate.hz|.3f} Hz of nominal {rate.nominal_hz|.3f}: {rate.off_percent|+.2f} %; the intervals "
    "alone {rate.intervals_percent|+.3f|+0.000} %\n]";

/* Print a source, with what only the text has. */
static void print_text(json_t *source, const struct stream_stats *stats, const struct epoch *e, const struct audit *a)
{
    const double us = e->hello.clock_hz ? 1e6 / (double)e->hello.clock_hz : 0;
    const char *const incomparable =
        e->samples && !e->samples->timed ? "the samples have no times" :
        a->one_shot ? "there is no schedule to compare them with" : "the source ticks by itself";

    json_object_update_new(source, json_pack(
        "{sb so so sI sf sf ss}", "unit", e->hello.unit != 0, "damaged", json_count(decoder_damaged(stats)), "damage",
        stream_json(stats), "arrivals", (json_int_t)(e->samples ? e->samples->arrivals : 0),
        "shortest", us * (double)a->shortest, "longest", us * (double)a->longest, "incomparable", incomparable));
    report_text(source, text, stdout);
    json_decref(source);
}

static bool warn_findings(const char *path, const struct audit *a)
{
    for (uint64_t i = 0; i < a->faults && i < AUDIT_FINDINGS; i++)
        cli_error("%s: %s", path, a->finding[i]);
    if (a->faults > AUDIT_FINDINGS)
        cli_error("%s: and %" PRIu64 " more of this kind", path, a->faults - AUDIT_FINDINGS);
    return a->faults;
}

/*
 * One source's ticks; EXIT_CHECK_FAILED where they are not its generator's, EXIT_DAMAGED where that is not known.
 * `list`, unless NULL, gets them; else they are printed.
 */
static int report_source(const char *path, struct epoch_pass *p, const struct epoch *e, json_t *list)
{
    struct audit *a = xrealloc_array(NULL, 1, sizeof(*a));
    bool faulty;
    int code;

    audit_pass(a, p, e);
    if (list)
        json_array_append_new(list, audit_json_source(e, a));
    else
        print_text(audit_json_source(e, a), &epoch_pass_stream(p)->stats, e, a);
    faulty = warn_findings(path, a);
    if (a->unordered)
        cli_error("%s: %" PRIu64 " snapshots came too long before or after their samples: they are not checked "
                  "against the replay", path, a->unordered);
    if (a->cut)
        cli_error("%s: to draw %" PRIu64 " ticks again takes too long for a stream of this size: it is not audited",
                  path, a->cut);
    if (!list)
        puts(faulty ? "verdict    these are not the generator's ticks, all of them and each once" :
             a->replayed ? "verdict    the ticks are the generator's" : "verdict    none: not known");
    code = faulty ? EXIT_CHECK_FAILED : a->replayed ? EXIT_OK : EXIT_DAMAGED;
    free(a);
    return code;
}

#define AUDIT_MEMBERS(M, O)                                                         \
    O(LIST, sources, audit_source, "one for each tick source: the first, then that of tick=A,B") \
    O(OBJECT, damage, stream_counts, "what did not arrive, of the whole stream")
REPORT_WHOLE(audit, "cpuprobe-audit-1", AUDIT_MEMBERS)

static int report(void *arguments, struct epoch_pass *p)
{
    const struct report_arguments *a = arguments;
    const char *path = a->path;
    const struct epoch *e = epoch_pass_epoch(p);
    json_t *list;
    int code = EXIT_OK;

    if (!e->snapshot) {
        cli_error("%s has no complete snapshot: there is nothing to audit", path);
        return EXIT_NO_DATA;
    }
    list = a->json ? json_array() : NULL;
    for (const struct epoch *s = e; s && s->snapshot; s = s->second_source) {
        int one;

        if (!list && s->has_hello && (e->second_source || s != e))
            printf("%ssource     %s\n", s == e ? "" : "\n", s->hello.source.bytes);
        one = report_source(path, p, s, list);
        code = one > code ? one : code;
    }
    if (list)
        json_print(REPORT_MAKE(audit, list, stream_json(&epoch_pass_stream(p)->stats)),
                   JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    if (report_verdict(path, epoch_pass_stream(p), epoch_pass_model(p), e) != EXIT_OK && code == EXIT_OK)
        code = EXIT_DAMAGED;
    return code;
}

static int run_command(int argc, char **argv)
{
    struct report_arguments a = {0};

    subcommand_parse(&cmd_audit, argc, argv, &a);
    return report_pass(a.path, a.epoch, &a, report);
}

const struct subcommand cmd_audit = {
    .name = "audit", .what = "compare the ticks of a run with its generator", .run = run_command,
    .shared = {{&report_json_options}}, .args_doc = "FILE", .json = {&audit_object},
    .doc = "Compute the schedule of the last complete run, or of an epoch, again and compare its "
           "ticks with it.",
    .example = {"cpuprobe audit dump"},
};
