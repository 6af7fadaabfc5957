/* SPDX-License-Identifier: MIT */
/* `cpuprobe audit`: whether the ticks of a run are those of its generator, and what did not arrive. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/stats/masked_durations.h"
#include "probe/stats/table.h"
#include "tools/analysis/audit.h"
#include "tools/analysis/report.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/report_object.h"
#include "tools/base/saturate.h"
#include "tools/cmd/commands.h"
#include "tools/json/report_json.h"
#include "tools/timeline/epoch_pass.h"

#define AUDIT_REPLAY_MEMBERS(M, O)                                                  \
    M(TEXT, interval, "the interval policy")                                        \
    M(COUNT, seed, "seed in force")                                                 \
    M(COUNT, agreed, "snapshots whose generator and sum of intervals equal the replay's") \
    M(COUNT, snapshots, "snapshots that arrived")
REPORT_OBJECT(audit_replay, AUDIT_REPLAY_MEMBERS)

#define AUDIT_BUCKET_MEMBERS(M, O)                                                  \
    M(REAL, low, "least delay, us")                                                 \
    M(REAL, high, "greatest delay, us")                                             \
    M(COUNT, ticks, "ticks with such a delay")
REPORT_OBJECT(audit_bucket, AUDIT_BUCKET_MEMBERS)

#define AUDIT_LATENESS_MEMBERS(M, O)                                                \
    M(COUNT, in_time, "ticks in time")                                              \
    M(REAL, within_us, "delay up to which a tick is in time, us")                   \
    M(COUNT, late, "ticks that were late")                                          \
    M(TEXT, rows, "rows of the table that have the late ticks")                     \
    M(REAL, all_us, "sum of the delays, us")                                        \
    O(LIST, buckets, audit_bucket, "late ticks by powers of two of the clock unit")
REPORT_OBJECT(audit_lateness, AUDIT_LATENESS_MEMBERS)

#define AUDIT_WINDOW_MEMBERS(M, O)                                                  \
    M(REAL, seconds, "length of the window, s")                                     \
    M(REAL, from_first_tick, "length from the first tick on, s")                    \
    M(REAL, unaccounted, "the window less intervals, handlers and lateness, s")
REPORT_OBJECT(audit_window, AUDIT_WINDOW_MEMBERS)

#define AUDIT_RAW_MEMBERS(M, O)                                                     \
    M(COUNT, told, "raw samples that the image counted")                            \
    M(COUNT, arrived, "raw samples that arrived")                                   \
    M(COUNT, lost, "raw samples that found no room")                                \
    M(COUNT, absent, "raw samples that did not arrive")                             \
    M(COUNT, twice, "raw samples that arrived twice")
REPORT_OBJECT(audit_raw, AUDIT_RAW_MEMBERS)

#define AUDIT_INTERVALS_MEMBERS(M, O)                                               \
    M(COUNT, checked, "intervals, or arrivals after points, that were checked")     \
    M(COUNT, excused, "of those checked: late, or after a look")                    \
    M(REAL, least_us, "of the others: the least distance from the schedule, us")    \
    M(REAL, most_us, "of the others: the greatest distance from the schedule, us")  \
    M(COUNT, spanned, "stretches of several intervals")
REPORT_OBJECT(audit_spacing, AUDIT_INTERVALS_MEMBERS)

#define AUDIT_PHASE_MEMBERS(M, O)                                                   \
    M(COUNT, samples, "samples whose phase is known")                               \
    M(COUNT, parts, "equal parts of the period of the system clock")                \
    M(COUNT, covered, "parts that have samples")                                    \
    M(REAL, least_percent, "samples of the part with the fewest, percent")          \
    M(REAL, most_percent, "samples of the part with the most, percent")             \
    M(REAL, chi_square, "distance from an even spread")                             \
    M(FLAG, even, "the spread is even")
REPORT_OBJECT(audit_clock_phase, AUDIT_PHASE_MEMBERS)

#define AUDIT_RATE_MEMBERS(M, O)                                                    \
    M(REAL, hz, "rate by the window, Hz")                                           \
    M(REAL, nominal_hz, "rate that was asked for, Hz")                              \
    M(REAL, off_percent, "by how much they differ, percent")                        \
    M(REAL, intervals_percent, "by how much the mean interval times the ticks differs from the sum of the " \
                               "intervals, percent")
REPORT_OBJECT(audit_rate, AUDIT_RATE_MEMBERS)

#define AUDIT_SOURCE_MEMBERS(M, O)                                                  \
    M(TEXT, source, "tick source; null: no HELLO")                                  \
    M(COUNT, ticks, "how often it fired")                                           \
    O(OBJECT_OR_NULL, replay, audit_replay, "the schedule computed again; null: it is not known, or too long") \
    M(COUNT_OR_NULL, given_up_at, "tick at which the replay was given up as too long; null: it was not") \
    M(COUNT, samples, "ticks that the handler took")                                \
    M(COUNT_OR_NULL, points, "points of the schedule up to the window's end: the samples and in_handler; " \
                             "null: it has none") \
    M(COUNT_OR_NULL, in_handler, "of these, points that fell into handlers of ticks: no samples") \
    O(OBJECT, missed, missed, "ticks that did not happen")                    \
    O(OBJECT, lost, lost, "samples that were taken and not recorded")         \
    O(OBJECT, lateness, audit_lateness, "ticks by their delay")                     \
    O(OBJECT_OR_NULL, window, audit_window, "from the first arming to the last expiry; null: the clock is not " \
                                            "known") \
    O(OBJECT_OR_NULL, raw, audit_raw, "raw samples; null: the run has none")        \
    O(OBJECT_OR_NULL, intervals, audit_spacing, "intervals between raw samples against the schedule; null: " \
                                                "nothing could be compared") \
    O(OBJECT_OR_NULL, phase, audit_clock_phase, "where samples fell in the period of the system clock; null: " \
                                                "not known") \
    O(OBJECT_OR_NULL, rate, audit_rate, "ticks a second; null: not known")          \
    M(COUNT, faults, "checks that failed")                                          \
    M(TEXTS, findings, "a sentence for each, at most 12")                           \
    M(TEXT, verdict, "own: the ticks are the generator's; foreign: they are not, all of them and each once; " \
                     "null: not known")
REPORT_SHARED(audit_source, AUDIT_SOURCE_MEMBERS)

/* Of clock units; NaN where their rate is not known. */
static double micros(const struct epoch *e, double clocks)
{
    return e->hello.clock_hz ? clocks * 1e6 / (double)e->hello.clock_hz : NAN;
}

static json_t *lateness(const struct epoch *e)
{
    const struct snapshot *s = e->snapshot;
    struct masked_durations_row row[SNAPSHOT_BUCKETS];
    const unsigned rows = masked_durations_of(s, e->hello.clock_hz, row);
    json_t *buckets = json_array();

    for (unsigned i = 0; i < rows; i++)
        REPORT_ADD(buckets, audit_bucket, row[i].low, row[i].high, row[i].ticks);
    return REPORT_MAKE(audit_lateness, .in_time = s->ticks - s->late, .within_us = micros(e, (double)e->hello.late),
                       .late = s->late, .rows = table_late_rows(s, e->words_known && config_via_nmi(&e->words)),
                       .all_us = micros(e, (double)s->lateness), .buckets = buckets);
}

static json_t *window(const struct epoch *e, const struct audit *a)
{
    const struct snapshot *s = e->snapshot;
    const double us = 1e6, drift = (double)audit_drift(e, &e->last_head);

    if (!e->hello.clock_hz)
        return NULL;
    return REPORT_MAKE(audit_window, .seconds = micros(e, (double)(s->end - s->begin)) / us,
                       .from_first_tick = s->first ? micros(e, (double)(s->end - s->first)) / us : NAN,
                       .unaccounted = a->one_shot && !e->hello.unit ? micros(e, drift) / us : NAN);
}

static json_t *raw(const struct epoch *e, const struct audit *a)
{
    const struct samples *s = e->samples;

    return s ? REPORT_MAKE(audit_raw, s->told, s->count, s->lost, a->absent, s->duplicates) : NULL;
}

static json_t *intervals(const struct epoch *e, const struct audit *a)
{
    const bool any = a->checked > a->excused;

    if (!e->samples || a->checked + a->spanned == 0)
        return NULL;
    return REPORT_MAKE(audit_spacing, .checked = a->checked, .excused = a->excused, .spanned = a->spanned,
                       .least_us = any ? micros(e, (double)a->shortest) : NAN,
                       .most_us = any ? micros(e, (double)a->longest) : NAN);
}

static json_t *phase(const struct audit_phase *p)
{
    if (!p->samples)
        return NULL;
    return REPORT_MAKE(audit_clock_phase, .samples = p->samples, .parts = AUDIT_BINS,
                       .covered = AUDIT_BINS - p->empty,
                       .least_percent = percent_of((double)p->least, (double)p->samples),
                       .most_percent = percent_of((double)p->most, (double)p->samples), .chi_square = p->chi_square,
                       .even = p->even && !p->empty);
}

static json_t *rate(const struct epoch *e)
{
    const struct snapshot *s = e->snapshot;
    const double mean = epoch_mean(e), hz = (double)e->hello.clock_hz, length = (double)(s->end - s->begin);
    const double due = (double)(e->hello.unit ? s->points : s->ticks), sum = (double)s->intervals;
    const double computed = (double)e->hello.mean * audit_intervals(e, s) / 65536;

    if (mean <= 0 || hz <= 0 || length <= 0)
        return NULL;
    return REPORT_MAKE(audit_rate, .hz = due * hz / length, .nominal_hz = hz / mean,
                       .off_percent = percent_of(due * mean - length, length),
                       .intervals_percent = percent_of(computed - sum, sum));
}

static json_t *findings(const struct audit *a)
{
    json_t *list = json_array();

    for (uint64_t i = 0; i < a->faults && i < AUDIT_FINDINGS; i++)
        json_array_append_new(list, json_text_or_null(a->finding[i]));
    return list;
}

static json_t *replay(const struct epoch *e, const struct audit *a)
{
    return a->replayed ? REPORT_MAKE(audit_replay, config_value_name(&e->words, CONFIG_INTERVAL), e->hello.seed,
                                     a->agreed, e->head_count) : NULL;
}

/* The audit of one source, an object for the caller's list.  The epoch has a snapshot. */
static json_t *audit_json_source(const struct epoch *e, const struct audit *a)
{
    const struct snapshot *s = e->snapshot;
    const double mean = epoch_mean(e);

    return REPORT_MAKE(
        audit_source, .source = e->has_hello ? e->hello.source.bytes : NULL, .ticks = s->ticks,
        .replay = replay(e, a), .given_up_at = REPORT_KNOWN_IF(a->cut, a->cut), .samples = s->samples,
        .points = REPORT_KNOWN_IF(s->points, s->points), .in_handler = REPORT_KNOWN_IF(s->points, s->in_handler),
        .missed = missed_json(s, mean > 0 ? (double)s->excess / mean : NAN), .lost = lost_json(s),
        .lateness = lateness(e), .window = window(e, a), .raw = raw(e, a), .intervals = intervals(e, a),
        .phase = phase(&a->phase), .rate = rate(e), .faults = a->faults, .findings = findings(a),
        .verdict = a->faults ? "foreign" : a->replayed ? "own" : NULL);
}

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

const struct subcommand cmd_audit = {
    .name = "audit", .what = "compare the ticks of a run with its generator",
    .through = pass_command, .pass = report, .bytes = sizeof(struct report_arguments),
    .shared = {{&report_json_options}}, .args_doc = "FILE", .json = {&audit_object},
    .doc = "Compute the schedule of the last complete run, or of an epoch, again and compare its "
           "ticks with it.",
    .example = {"cpuprobe audit dump"},
};
