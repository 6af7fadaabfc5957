/* SPDX-License-Identifier: MIT */
/*
 * What makes numbers wrong is "bad": an image at fault, ticks that are not the generator's, a source in step with the
 * load.  What makes them incomplete is a "warning", what a reader should know is a "note".
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/analysis/audit.h"
#include "tools/base/alloc.h"
#include "tools/base/saturate.h"
#include "tools/report/report_page.h"
#include "tools/stream/stream_reader.h"
#include "tools/timeline/epoch_pass.h"

enum trust_level { GOOD, NOTE, WARNING, BAD };

struct trust {
    json_t *findings;
    enum trust_level worst;
};

static const char *const level_name[] = {"good", "note", "warning", "bad", NULL};

#define FINDING_MEMBERS(M, O)                                                       \
    O(WORD, level, level_name, "what it means for the numbers")                     \
    M(WORD, topic, "what the finding is about")                                     \
    M(TEXT, text, "the finding, a sentence")
REPORT_OBJECT(finding, FINDING_MEMBERS)

#define TRUST_MEMBERS(M, O)                                                         \
    O(WORD, verdict, level_name, "the worst level of the findings")                 \
    O(LIST, findings, finding, "what was found")
REPORT_SHARED(report_trust, TRUST_MEMBERS)

static void say(struct trust *t, enum trust_level level, const char *topic, const char *format,
                ...) __attribute__((format(printf, 4, 5)));

static void say(struct trust *t, enum trust_level level, const char *topic, const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        out_of_memory();
    va_end(arguments);
    REPORT_ADD(t->findings, finding, level_name[level], topic, text);
    t->worst = level > t->worst ? level : t->worst;
    free(text);
}

/* ---- the stream ---- */

static void judge_end(struct trust *t, const struct epoch *e)
{
    if (!e->has_hello)
        say(t, WARNING, "run",
            "The beginning of the run (HELLO) did not arrive: there are no intervals and no missed ticks.");
    else if (!e->words_known)
        say(t, WARNING, "run", "The words of the run are not understood.");
    if (!e->ended)
        say(t, WARNING, "run", "The run has no end record: the numbers are those of the last complete snapshot.");
    else if (e->status)
        say(t, BAD, "run", "The image reported failure: %s.", e->reason);
    if (!e->snapshot)
        say(t, BAD, "run", "No complete snapshot arrived: there is no table.");
    else if (!e->snapshot->final)
        say(t, WARNING, "run", "The table is of snapshot %" PRIu64 ", not of the final one.", e->snapshot->serial);
    else if (e->ended && !e->status)
        say(t, GOOD, "run", "The run is complete, from its first record to its last.");
    if (e->snapshot && !e->adds_up)
        say(t, BAD, "run", "The rows of the table do not add up to the samples: the image is at fault.");
}

static void judge_damage(struct trust *t, const struct report_run *run)
{
    const struct stream_stats *s = &run->stream->stats;
    const uint64_t damaged = decoder_damaged(s);
    bool violated = false;

    if (damaged || s->missing || s->repeated)
        say(t, WARNING, "stream", "Of %" PRIu64 " bytes %" PRIu64 " in %" PRIu64 " stretches are damaged; %" PRIu64
            " frames are missing, %" PRIu64 " came twice.  What did not arrive is not in the numbers.", s->bytes,
            s->damaged_bytes, damaged, s->missing, s->repeated);
    if (s->unsure)
        say(t, WARNING, "stream",
            "At %" PRIu64 " places an unknown number of frames is missing: more than the sequence tells.", s->unsure);
    if (s->unknown)
        say(t, WARNING, "stream", "%" PRIu64 " frames are of types that this version does not know: what they hold "
                                  "is not in the numbers.", s->unknown);
    for (size_t i = 0; i < run->model->epochs; i++)
        violated |= run->model->epoch[i]->violations != NULL;
    if (violated)
        say(t, BAD, "stream", "Records break the rules of the protocol although their checksums are right: "
                              "the sender is at fault.");
    if (stream_is_whole(s) && !violated)
        say(t, GOOD, "stream", "Every byte of the stream arrived intact: %" PRIu64 " frames, none missing.",
            s->frames);
}

/* ---- samples ---- */

static void judge_losses(struct trust *t, const struct epoch *e, const struct snapshot *s)
{
    const struct samples *raw = e->samples;
    const uint64_t absent = raw ? raw->told - raw->count : 0;

    if (s->lost_table)
        say(t, WARNING, "losses", "%" PRIu64 " samples (%.3g %%) found no row in the table: they are in row LOST, "
                                  "and every interval has room for them.", s->lost_table,
            percent_or((double)s->lost_table, (double)s->samples, 0.0));
    if (absent)
        say(t, WARNING, "losses", "%" PRIu64 " raw samples of %" PRIu64 " (%.3g %%) did not arrive, %" PRIu64
            " of them because the ring was full: intervals of functions have room for them.", absent, raw->told,
            percent_or((double)absent, (double)raw->told, 0.0), raw->lost);
    if (s->missed_overrun || s->missed_source)
        say(t, s->missed_overrun + s->missed_source > s->ticks / 100 ? WARNING : NOTE, "losses",
            "%" PRIu64 " ticks did not happen because of an overload, %" PRIu64 " because the source lost them.",
            s->missed_overrun, s->missed_source);
    if (!s->lost_table && !absent && !s->missed_overrun && !s->missed_source)
        say(t, GOOD, "losses", "No sample was lost and no tick was missed by overload.");
    if (s->late)
        say(t, NOTE, "lateness", "%" PRIu64 " of %" PRIu64 " ticks (%.2f %%) came late: they are in %s, not in the "
                                 "code that they met.", s->late, s->ticks,
            percent_or((double)s->late, (double)s->ticks, 0.0),
            table_late_rows(s, e->words_known && config_via_nmi(&e->words)));
}

/* Policies by which fewer points fall into handlers than those have of the time. */
static void judge_handlers(struct trust *t, const struct stat_report *stat)
{
    const double bias = table_handler_bias(stat->epoch->snapshot, stat->options);

    if (bias >= TABLE_BIAS_TOLD)
        say(t, NOTE, "handlers", "Ticks avoid the handlers of other ticks: a share may be off by up to %.2f "
            "points%s. With interval=exponential they do not.", bias,
            stat->options->estimator.reason ? "" : ", for which its interval has room");
}

/* stack=: callers that the flame view by calls does not have. */
static void judge_walks(struct trust *t, const struct epoch *e)
{
    if (epoch_walks_lost(e))
        say(t, NOTE, "callers", "Up to %" PRIu64 " callers of each sample in user mode were looked for: %s.",
            epoch_walks(e)->callers, epoch_walks_text(e));
}

static void judge_intervals(struct trust *t, const struct stat_report *stat)
{
    if (stat->options->estimator.reason)
        say(t, WARNING, "intervals", "There are no intervals: %s.", stat->options->estimator.reason);
    else
        say(t, GOOD, "intervals", "Shares have intervals of 95 %%, by the policy interval=%s.",
            config_value_name(&stat->epoch->words, CONFIG_INTERVAL));
}

/* The shares beside what was measured exactly. */
static void judge_exact(struct trust *t, const struct stat_report *stat)
{
    const struct snapshot *s = stat->epoch->snapshot;
    unsigned compared = 0, outside = 0;
    double most = 0.0;

    if (!s->exact || stat->options->estimator.reason)
        return;
    for (uint32_t i = 0; i < s->rows; i++) {
        const struct table_row row = table_row(s, &s->row[i], stat->options);

        if (!row.modes || !isfinite(row.total.exact) || !isfinite(row.total.low999))
            continue;
        compared++;
        outside += row.total.exact < row.total.low999 || row.total.exact > row.total.high999;
        most = fmax(most, fabs(row.total.exact - row.total.percent));
    }
    if (compared)
        say(t, outside > 1 ? WARNING : outside ? NOTE : GOOD, "accuracy",
            "Beside the samples time was measured exactly: of %u rows %u are outside of their 99.9 %% "
            "interval; the largest error is %.2f points.", compared, outside, most);
}

static void judge_cost(struct trust *t, const struct snapshot *s)
{
    const double share = percent_or((double)s->monitor, (double)s->end - (double)s->begin, 0.0);

    if (s->exact)
        say(t, share > 5.0 ? WARNING : NOTE, "cost",
            "The monitor itself took %.3g %% of the time; shares are of the rest.", share);
}

/* ---- the ticks ---- */

static void judge_audit(struct trust *t, const struct report_run *run, const struct epoch *e)
{
    char checked[80] = "; without raw samples no interval can be checked by itself.";
    struct audit *a = xrealloc_array(NULL, 1, sizeof(*a));
    struct epoch_pass *p = run->again ? epoch_pass_open(run->again, run->epoch->number) : NULL;

    audit_pass(a, p, e);
    epoch_pass_close(p);
    if (a->checked)
        snprintf(checked, sizeof(checked), ", and %" PRIu64 " intervals were checked one by one.", a->checked);
    if (a->faults)
        say(t, BAD, "audit", "These are not the generator's ticks, all of them and each once: %s%s", a->finding[0],
            a->faults > 1 ? ", and more." : ".");
    else if (a->replayed)
        say(t, GOOD, "audit", "The ticks are the generator's: its state agrees in %" PRIu64 " of %" PRIu64
            " snapshots%s", a->agreed, e->head_count, checked);
    else
        say(t, NOTE, "audit", "The ticks were not audited: %s.", a->cut ? "there are too many to be drawn again"
                                                                        : "their schedule is not known");
    if (a->phase.samples && !a->phase.even)
        say(t, WARNING, "phase", "The samples are not spread evenly over the period of the system clock "
                                 "(chi-square %.1f).", a->phase.chi_square);
    free(a);
}

static void judge_alias(struct trust *t, const struct alias_compare *c)
{
    const struct alias *a = &c->alias;

    if (!a->differ)
        say(t, GOOD, "alias", "Two sources of ticks agree in all %u cells: neither runs in step with the load.",
            a->compared);
    else
        say(t, BAD, "alias", "ALIAS ALARM: %s and %s differ in %u of %u cells (largest |z| %.2f, limit %.2f). %s%s%s",
            c->side[0].source, c->side[1].source, a->differ, a->compared, a->most, a->limit,
            a->wrong[0] || a->wrong[1] ? "Wrong: " : "Which one is wrong is not known.",
            a->wrong[0] ? c->side[0].source : a->wrong[1] ? c->side[1].source : "",
            a->wrong[0] && a->wrong[1] ? ", and the other too." : "");
}

static void repeat_warnings(struct trust *t, const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_TEXT);

    for (size_t i = 0; i < s->head.count; i++) {
        const struct wire_text_record *const said = record_head(s, i);

        if (said->severity)
            say(t, said->severity > 1 ? BAD : WARNING, "image", "The image said: %s", said->text.bytes);
    }
}

json_t *report_trust_json(const struct report_run *run, const struct stat_report *stat)
{
    struct trust t = {.findings = json_array()};
    const struct epoch *e = run->epoch;

    judge_end(&t, e);
    judge_damage(&t, run);
    if (e->snapshot) {
        judge_losses(&t, e, e->snapshot);
        judge_walks(&t, e);
        judge_intervals(&t, stat);
        judge_exact(&t, stat);
        for (const struct epoch *source = e; source && source->snapshot; source = source->second_source)
            judge_audit(&t, run, source);
        judge_handlers(&t, stat);
        judge_cost(&t, e->snapshot);
    }
    if (stat->alias)
        judge_alias(&t, stat->alias);
    repeat_warnings(&t, e);
    if (run->single && run->single->cut)
        say(&t, NOTE, "history", "Time lines and code are of the newest part of the run: older samples are no longer "
            "kept here.");
    return REPORT_MAKE(report_trust, level_name[t.worst], t.findings);
}
