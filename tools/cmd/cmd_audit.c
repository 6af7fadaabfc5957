/* SPDX-License-Identifier: MIT */
/* `cpuprobe audit`: whether the ticks of a run are those of its generator, and what did not arrive. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/stats/masked_durations.h"
#include "probe/stats/table.h"
#include "tools/analysis/audit.h"
#include "tools/analysis/report.h"
#include "tools/analysis/report_pass.h"
#include "tools/base/cli.h"
#include "tools/base/json_value.h"
#include "tools/cmd/commands.h"
#include "tools/json/audit_json.h"
#include "tools/json/stream_json.h"

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static double micros(const struct epoch *e, double clocks)
{
    return e->hello.clock_hz ? clocks * 1e6 / (double)e->hello.clock_hz : 0;
}

static void print_ticks(const struct epoch *e, const struct audit *a, const struct snapshot *s)
{
    printf("ticks      %" PRIu64, s->ticks);
    if (!a->replayed) {
        puts(a->cut ? ", n.a.: too many to be drawn again" : ", n.a.: the words make no schedule that is known");
        return;
    }
    printf(", interval=%s seed=%" PRIu64 "; generator and sum agree in %" PRIu64 " of %" PRIu64 " snapshots\n",
           config_value_name(&e->words, CONFIG_INTERVAL), e->hello.seed, a->agreed, e->head_count);
}

static void print_window(const struct epoch *e, const struct audit *a, const struct snapshot *s)
{
    const struct wire_snapshot *last = &e->last_head;

    if (!e->hello.clock_hz)
        return;
    printf("window     %.6f s from the first arming, %.6f from the first tick, to the last",
           micros(e, (double)(s->end - s->begin)) / 1e6,
           s->first ? micros(e, (double)(s->end - s->first)) / 1e6 : 0.0);
    if (a->one_shot && !e->hello.unit)
        printf("; not accounted for: %+.6f", micros(e, (double)audit_drift(e, last)) / 1e6);
    putchar('\n');
}

static void print_raw(const struct epoch *e, const struct audit *a)
{
    const struct samples *s = e->samples;

    if (!s)
        return;
    printf("raw        %" PRIu64 " told, %" PRIu64 " arrived, %" PRIu64 " found no room, %" PRIu64
           " absent, %" PRIu64 " twice\n", s->told, s->count, s->lost, a->absent, s->duplicates);
    if (a->checked + a->spanned == 0) {
        printf("intervals  n.a.: %s\n", !s->timed ? "the samples have no times" :
               a->one_shot ? "there is no schedule to compare them with" :
               "the source ticks by itself");
        return;
    }
    if (e->hello.unit) {
        printf("points     %" PRIu64 " samples checked one by one, %" PRIu64 " of them late; %" PRIu64
               " arrivals measured, %+.1f to %+.1f us after their points\n", a->checked, a->excused, s->arrivals,
               micros(e, (double)a->shortest), micros(e, (double)a->longest));
        return;
    }
    printf("intervals  %" PRIu64 " checked one by one, %" PRIu64 " of them late or after a look; "
           "the others %+.1f to %+.1f us off", a->checked, a->excused,
           micros(e, (double)a->shortest), micros(e, (double)a->longest));
    if (a->spanned)
        printf("; %" PRIu64 " stretches of several", a->spanned);
    putchar('\n');
}

static void print_losses(const struct epoch *e, const struct frame_decoder *stream, const struct snapshot *s)
{
    const double mean = epoch_mean(e);

    printf("samples    %" PRIu64, s->samples);
    if (e->hello.unit)
        printf(" of %" PRIu64 " points; %" PRIu64 " points fell into handlers of ticks", s->points, s->in_handler);
    putchar('\n');
    if (!e->hello.unit)
        printf("missed     %.1f while masked, %" PRIu64 " overrun, %" PRIu64 " by the source\n",
               mean > 0 ? (double)s->excess / mean : 0, s->missed_overrun, s->missed_source);
    printf("lost       %" PRIu64 " in the table, %" PRIu64 " in the ring\n", s->lost_table, s->lost_ring);
    printf("damaged    %" PRIu64 " stretches, %" PRIu64 " frames missing in %" PRIu64 " gaps\n",
           decoder_damaged(&stream->stats), stream->stats.missing, stream->stats.gaps);
}

static void print_lateness(const struct epoch *e, const struct snapshot *s)
{
    struct masked_durations_row row[SNAPSHOT_BUCKETS];
    const unsigned rows = masked_durations_of(s, e->hello.clock_hz, row);

    printf("lateness   %" PRIu64 " in time (within %.1f us), %" PRIu64 " late (%s), %.1f us in all\n",
           s->ticks - s->late, micros(e, (double)e->hello.late), s->late,
           table_late_rows(s, e->words_known && config_via_nmi(&e->words)), micros(e, (double)s->lateness));
    for (unsigned i = 0; i < rows; i++)
        printf("           %10.1f to %10.1f us %8" PRIu64 "\n", row[i].low, row[i].high, row[i].ticks);
}

static void print_phase(const struct audit_phase *p)
{
    if (!p->samples) {
        puts("phase      n.a.: needs raw samples with times, and a system clock");
        return;
    }
    printf("phase      of the system clock: %u of %u parts covered, %.2f to %.2f %% of the samples in each; ",
           AUDIT_BINS - p->empty, AUDIT_BINS, percent((double)p->least, (double)p->samples),
           percent((double)p->most, (double)p->samples));
    printf("chi-square %.1f: %s\n", p->chi_square,
           p->empty ? "ticks never come at some phases" : p->even ? "even" : "uneven");
}

static void print_rate(const struct epoch *e, const struct snapshot *s)
{
    const double mean = epoch_mean(e), hz = (double)e->hello.clock_hz;
    const double window = (double)(s->end - s->begin), due = (double)(e->hello.unit ? s->points : s->ticks);

    if (mean <= 0 || hz <= 0 || window <= 0)
        return;
    printf("rate       %.3f Hz of nominal %.3f: %+.2f %%; ", due * hz / window, hz / mean, percent(due * mean - window, window));
    printf("the intervals alone %+.3f %%\n",
           percent((double)e->hello.mean * audit_intervals(e, s) / 65536 - (double)s->intervals, (double)s->intervals));
}

static bool warn_findings(const char *path, const struct audit *a)
{
    for (uint64_t i = 0; i < a->faults && i < AUDIT_FINDINGS; i++)
        cli_error("%s: %s", path, a->finding[i]);
    if (a->faults > AUDIT_FINDINGS)
        cli_error("%s: and %" PRIu64 " more of this kind", path, a->faults - AUDIT_FINDINGS);
    return a->faults;
}

static void print_text(const struct frame_decoder *stream, const struct epoch *e, const struct audit *a)
{
    print_ticks(e, a, e->snapshot);
    print_losses(e, stream, e->snapshot);
    print_lateness(e, e->snapshot);
    print_window(e, a, e->snapshot);
    print_raw(e, a);
    print_phase(&a->phase);
    print_rate(e, e->snapshot);
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
        print_text(epoch_pass_stream(p), e, a);
    faulty = warn_findings(path, a);
    if (a->unordered)
        cli_error("%s: %" PRIu64 " snapshots came too long before or after their samples: they are not checked against the replay",
                  path, a->unordered);
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
