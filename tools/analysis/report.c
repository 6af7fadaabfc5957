/* SPDX-License-Identifier: MIT */
/*
 * Makes a report from a file, chooses the estimator of shares by an epoch's words, and describes
 * gaps in a stream in messages (docs/ACCOUNTING.md).
 */
#include "tools/analysis/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/estimate/confidence.h"
#include "tools/base/alloc.h"
#include "tools/stream/stream_reader.h"
#include "tools/timeline/epoch_pass.h"

static struct estimator estimator_from(const struct epoch *e)
{
    struct estimator none = {PAIR_NEVER, 0.0, NULL, 0.0};

    if (!e->has_hello || !e->words_known) {
        none.reason = e->has_hello ? "words not understood" : "no HELLO frame arrived";
        return none;
    }
    if (!epoch_policy_known(e)) {
        none.reason = "the stream tells no policy";
        return none;
    }
    return estimator_of_run(&e->words, e->hello.mean, (uint32_t)e->hello.minimum);
}

/* A code on a screen leaves exact times out where it has no room for them. */
static const char *why_no_exact(const struct epoch *e)
{
    if (!e->words_known)
        return "the words of the run are not known";
    return e->words.account == CONFIG_ACCOUNT_OFF ? NULL : "the stream leaves exact times out";
}

struct table_options report_options(const struct epoch *e)
{
    double mean = epoch_mean(e);
    struct table_options o = {
        .estimator = estimator_from(e),
        .excess_per_tick = mean < 1e18 ? (uint64_t)(mean + 0.5) : 0,
        .clock_hz = e->has_hello ? e->hello.clock_hz : 0,
        .stub = e->has_hello ? e->hello.stub : 0,
        .tick = e->has_hello ? e->hello.tick : 0,
        .tick_share = e->has_hello ? e->hello.tick_share : 0,
        .no_exact = why_no_exact(e),
        .unmasked = e->words_known && config_via_nmi(&e->words),
    };

    if (e->snapshot)
        o.estimator = table_estimator(e->snapshot, &o);
    return o;
}

/* Deltas to a whole snapshot that the reader did not see; the image repeats all of it in turn. */
static void warn_baseless(const char *path, const struct epoch *e)
{
    if (e->newest_baseless)
        cli_error("%s: %" PRIu64 " snapshots only tell what changed since a whole one that did not arrive; "
                  "one comes within ten seconds", path, e->baseless);
}

/* Before its turn of NAMES came a reader that attached to a run knows numbers only. */
static void warn_nameless(const char *path, const struct epoch *e)
{
    uint32_t nameless = 0;

    for (uint32_t i = 0; e->snapshot && !e->ended && i < e->snapshot->rows; i++)
        nameless += row_has_modes(e->snapshot->row[i].id) && e->snapshot->row[i].id != ROW_IDLE &&
                    index_find(&e->name_of, e->snapshot->row[i].id) == INDEX_NONE;
    if (nameless)
        cli_error("%s: the names of %" PRIu32 " rows have not arrived; they come within ten seconds", path, nameless);
}

static bool warn_epoch(const char *path, const struct epoch *e)
{
    double age = e->hello.clock_hz ? (double)epoch_age(e) / (double)e->hello.clock_hz : 0.0;

    if (!e->has_hello)
        cli_error("%s: no HELLO frame arrived: no intervals, no missed ticks", path);
    else if (!e->words_known)
        cli_error("%s: these words are not understood: %s", path, e->hello.words.bytes);
    if (!e->ended && !e->second)
        cli_error("%s: the run has no end record", path);
    else if (e->status && !e->second)
        cli_error("%s: the %s reported failure: %s", path, is_of_port(e) ? "port" : "image", e->reason);
    if (!e->snapshot)
        cli_error("%s: no complete snapshot, so no table", path);
    else if (e->newest_unfinished)
        cli_error("%s: the newest snapshot is unfinished; this is number %" PRIu64
                  ", %.1f s old",
                  path, e->snapshot->serial, age);
    else if (!e->snapshot->final)
        cli_error("%s: this is snapshot %" PRIu64 ", not the final one", path,
                  e->snapshot->serial);
    warn_baseless(path, e);
    warn_nameless(path, e);
    if (e->samples && e->samples->late)
        cli_error("%s: %" PRIu64 " samples came too late to be put in order, and are left out", path,
                  e->samples->late);
    if (e->samples && e->samples->sums && e->samples->sums->crowded)
        cli_error("%s: %" PRIu64 " samples are of places beyond the %u that are told apart: they count as unresolved",
                  path, e->samples->sums->crowded, SUMS_FULL);
    if (e->samples && e->samples->sums && e->samples->sums->blurred)
        cli_error("%s: %" PRIu64 " pairs of samples are of pairs of places beyond the %u that are told apart: "
                  "intervals are wider than they need be", path, e->samples->sums->blurred, SUMS_PAIRS);
    if (e->samples && e->samples->timeless)
        cli_error("%s: %" PRIu64 " thinned samples are without their times: more than %" PRIu64
                  " ticks would have to be replayed", path, e->samples->timeless, SAMPLES_REPLAY);
    if (e->snapshot && !e->adds_up)
        cli_error("%s: the rows do not add up to the samples: the image is at fault", path);
    return !epoch_complete(e) || !e->words_known || (e->samples && e->samples->late);
}

/* The same of its second source. */
static bool warn_second_source(const char *path, const struct epoch *e)
{
    char *named;
    bool incomplete;

    if (!e->second_source) {
        if (e->words_known && e->words.second_tick != TICK_AUTO)
            cli_error("%s: nothing of the second source arrived", path);
        return false; /* the epoch is not complete in this case */
    }
    named = xrealloc_array(NULL, strlen(path) + sizeof(", second source"), 1);
    sprintf(named, "%s, second source", path);
    incomplete = warn_epoch(named, e->second_source);
    free(named);
    return incomplete;
}

/* For all epochs: a protocol violation in one epoch makes the others doubtful too, so it is always reported. */
static bool warn_violations(const char *path, const struct model *m)
{
    bool any = false;

    for (size_t i = 0; i < m->epochs; i++)
        for (const struct epoch *e = m->epoch[i]; e; e = e->second_source)
            any |= violations_print(path, e->violations);
    return any;
}

enum exit_code report_verdict(const char *path, const struct frame_decoder *s,
                              const struct model *m, const struct epoch *e)
{
    const bool lost = stream_loss_print(path, &s->stats), violated = warn_violations(path, m);
    const bool one = warn_epoch(path, e), other = warn_second_source(path, e);
    const bool damaged = lost || violated; /* each of the four has said what is wrong */
    bool incomplete = one || other;

    for (size_t i = e->number; i < m->epochs && !incomplete; i++) {
        if (epoch_complete(m->epoch[i]))
            continue;
        cli_error("%s: epoch %lu is reported; epoch %zu, after it, is not complete", path,
                  e->number, i + 1);
        incomplete = true;
    }
    return damaged || incomplete || s->failed ? EXIT_DAMAGED : EXIT_OK;
}

static int read_file(void *arguments, bool strict, enum samples_depth samples, report_maker *make)
{
    const char *path = *(const char **)arguments;
    struct frame_decoder stream;
    struct model *model = xcalloc(1, sizeof(*model));
    int code = EXIT_NO_DATA;

    model->samples = samples;
    model_read(path, &stream, model);
    if (!stream_has_no_frames(path, &stream))
        code = make(arguments, &stream, model);
    if (code == EXIT_OK && stream.failed)
        code = EXIT_DAMAGED;
    if (code == EXIT_DAMAGED && strict)
        code = EXIT_CHECK_FAILED;
    model_free(model);
    free(model);
    return code;
}

int report_file(void *arguments, bool strict, report_maker *make)
{
    return read_file(arguments, strict, SAMPLES_SUMMED, make);
}

int report_command(const struct subcommand *c, void *arguments)
{
    const struct report_arguments *const a = arguments;

    return read_file(arguments, a->strict, a->samples, c->report);
}

#undef OPTION_INPUT
#define OPTION_INPUT struct report_arguments

static const struct option_row rows[] = {
    OPTION_JSON(json),
    REPORT_EPOCH("epoch", epoch, REPORT_EPOCH_WHAT),
    {0},
};

const struct option_set report_json_options = {.rows = rows, .arguments = &stream_argument};
const struct option_set report_text_options = {.rows = &rows[1] /* without --json */, .arguments = &stream_argument};

struct epoch *report_epoch(const char *path, struct model *m, unsigned long wanted)
{
    struct epoch *e = model_find_epoch(path, m, wanted);

    if (e)
        epoch_name_rows(e);
    return e;
}

bool report_holds(const char *path, const struct epoch *e, bool held, const char *what, const char *word)
{
    if (held && e->has_hello && e->hello.clock_hz)
        return true;
    cli_error("%s holds no %s: boot the image with %s", path, what, word);
    return false;
}

/* Opens and closes the stream; a file that could not be read to its end is damaged. */

int report_pass(const char *path, unsigned long epoch, void *arguments, pass_report_maker *make)
{
    struct epoch_pass *p = epoch_pass_open(path, epoch);
    int code;

    if (!p)
        return EXIT_NO_DATA;
    code = make(arguments, p);
    if (code == EXIT_OK && !epoch_pass_read_well(p))
        code = EXIT_DAMAGED;
    epoch_pass_close(p);
    return code;
}

int pass_command(const struct subcommand *c, void *arguments)
{
    const struct report_arguments *const a = arguments;

    return report_pass(a->path, a->epoch, arguments, c->pass);
}
