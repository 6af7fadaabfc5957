/* SPDX-License-Identifier: MIT */
/* Makes the JSON of one tick source: how it ticked, what it lost, its window, its table. */
#include "tools/stat/stat_report.h"

#include <math.h>

#include "probe/estimate/confidence.h"
#include "probe/stats/masked_durations.h"
#include "probe/stats/verdict.h"
#include "tools/base/printable.h"
#include "tools/json/report_json.h"

#define POLICY_MEMBERS(M, O)                                                        \
    M(TEXT, name, "interval policy")                                                \
    M(TEXT, source, "tick source")                                                  \
    M(COUNT, rate, "requested rate, Hz")                                            \
    M(COUNT, spread, "spread, thousandths of the mean")                             \
    M(COUNT, seed, "seed in force")                                                 \
    M(REAL, mean, "mean interval, s")                                               \
    M(COUNT, minimum, "smallest interval, counts of the source")
REPORT_OBJECT(policy, POLICY_MEMBERS)

#define DELAY_MEMBERS(M, O)                                                         \
    M(REAL, low, "least delay, us")                                                 \
    M(REAL, high, "greatest delay, us")                                             \
    M(COUNT, ticks, "late samples with such a delay")                               \
    M(REAL, per_second, "stretches with interrupts off a second that last that long")
REPORT_OBJECT(delay, DELAY_MEMBERS)

#define WINDOW_MEMBERS(M, O)                                                        \
    M(COUNT_OR_NULL, begin, "first arming, clock units since the start")            \
    M(COUNT_OR_NULL, end, "last expiry, clock units since the start")               \
    M(REAL, seconds, "its length, s")
REPORT_OBJECT(window, WINDOW_MEMBERS)

#define MONITOR_TIME_MEMBERS(M, O)                                                  \
    M(COUNT_OR_NULL, clock, "the monitor's own time, clock units")                  \
    M(REAL, percent, "its share of the window, percent")
REPORT_OBJECT(monitor_time, MONITOR_TIME_MEMBERS)

#define CELL_MEMBERS(M, O)                                                          \
    M(COUNT_OR_NULL, hits, "samples in the cell")                                   \
    M(REAL, percent, "hits, percent of the samples")                                \
    M(REAL, low, "lower end of the 95 % interval of percent")                       \
    M(REAL, high, "upper end of the 95 % interval")                                 \
    M(REAL, low999, "lower end of the 99.9 % interval")                             \
    M(REAL, high999, "upper end of the 99.9 % interval")                            \
    M(REAL, exact, "the truth: time in the cell with interrupts on, percent of tau; of row MASKED all masked " \
                   "time; with delivery=nmi all time in the cell, and of row STOLEN null") \
    M(REAL, masked, "time in the cell with interrupts off, percent of tau; of row MASKED null") \
    M(COUNT_OR_NULL, changes, "pairs of samples (stratified: of one stratum; random: of neighbours) of which " \
                              "exactly one is in the cell") \
    M(REAL, deff, "design effect: the variance of percent divided by that of as many independent samples")
REPORT_OBJECT(cell, CELL_MEMBERS)

#define MODE_CELLS(O, kind)                                                         \
    O(kind, user, cell, "in user mode")                                             \
    O(kind, supervisor, cell, "in supervisor mode")                                 \
    O(kind, kernel, cell, "in the kernel")                                          \
    O(kind, interrupt, cell, "in interrupt handlers")

#define MODE_SUM_MEMBERS(M, O) MODE_CELLS(O, OBJECT_IF)
REPORT_OBJECT(mode_sums, MODE_SUM_MEMBERS)

#define TABLE_ROW_MEMBERS(M, O)                                                     \
    M(TEXT, name, "name of the row")                                                \
    M(COUNT, id, "identifier of the row")                                           \
    M(FLAG, task, "it is a task; false for IDLE, ENDED, MASKED, STOLEN and LOST")   \
    MODE_CELLS(O, OBJECT)                                                           \
    O(OBJECT, total, cell, "in all modes; MASKED, STOLEN and LOST have this cell alone, each member of the " \
                           "others is null")
REPORT_OBJECT(table_row, TABLE_ROW_MEMBERS)

#define STAT_TABLE_MEMBERS(M, O)                                                    \
    M(TEXT, words, "the configuration in force, as the image printed it")           \
    O(OBJECT_OR_NULL, policy, policy, "how the ticks were made; null: the words do not say it") \
    M(TEXT, interval, "how the intervals of shares are computed: stratified, random, exponential, with --wald " \
                      "wald; null: there is none") \
    M(TEXT, interval_reason, "why interval is null: fixed ticks and so on")         \
    M(COUNT_OR_NULL, samples, "ticks that the handler took; all shares are shares of these") \
    M(COUNT_OR_NULL, ticks, "how often the source fired")                           \
    M(COUNT_OR_NULL, points, "points of the schedule up to the window's end: the samples and in_handler; " \
                             "null: it has none") \
    M(COUNT_OR_NULL, in_handler, "of these points those that fell into handlers of ticks: no samples") \
    M(REAL, handler_bias, "percentage points by which a share is off at most because fewer points fall into " \
                          "handlers than those have of the time; intervals have room for it, but with --wald; " \
                          "null: it has no points, or that time is not known") \
    M(COUNT_OR_NULL, late, "samples that were late: rows MASKED and STOLEN, with delivery=nmi STOLEN alone") \
    O(LIST, lateness, delay, "late samples by powers of two of the clock unit")     \
    O(OBJECT, missed, missed, "ticks that did not happen")                          \
    O(OBJECT, lost, lost, "samples that were taken and not recorded")               \
    M(COUNT_OR_NULL, clock_hz, "frequency of the clock units, Hz")                  \
    O(OBJECT, window, window, "from the first arming to the last expiry")           \
    M(COUNT_OR_NULL, tau, "the window less the monitor's own time, clock units; exact shares are shares of it") \
    M(REAL, age, "from the snapshot to the last record of its epoch, s")            \
    O(OBJECT, monitor, monitor_time, "the monitor's own time")                      \
    M(COUNT_OR_NULL, transitions, "changes of cell in the exact table")             \
    M(REAL, resolution, "transitions times the length of an entry, percent of tau: how exact the exact table is") \
    M(COUNT_OR_NULL, generator, "state of the generator after the last tick")       \
    M(COUNT_OR_NULL, intervals, "sum of the intervals, counts of the source")       \
    O(LIST, tasks, table_row, "the rows, in the order of the table; LOST only if samples were lost; the " \
                              "total.percent of all add up to 100, and so do their total.exact") \
    O(OBJECT, modes, mode_sums, "sum of each mode over all rows; empty: there is no table") \
    M(TEXT, verdict, "a sentence that says what the table means; null: it has no samples") \
    M(TEXTS, unsound, "sentences that say what cannot be of this table: counts that do not add up, arrivals " \
                      "far from their points, a rate that is not that of the words; empty: it is sound")
REPORT_SHARED(stat_table, STAT_TABLE_MEMBERS)

/* A member of a snapshot that there may not be. */
#define NUMBER_OF(s, member) REPORT_KNOWN_IF((s) != NULL, (s)->member)

static json_t *policy(const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;

    if (!epoch_policy_known(e))
        return NULL;
    return REPORT_MAKE(policy, .name = config_value_name(&e->words, CONFIG_INTERVAL), .source = h->source.bytes,
                       .rate = e->words.rate, .spread = e->words.spread, .seed = h->seed,
                       .mean = h->clock_hz ? epoch_mean(e) / (double)h->clock_hz : NAN, .minimum = h->minimum);
}

static const char *interval_name(const struct stat_report *r)
{
    if (r->options->wald)
        return "wald";
    return r->options->estimator.reason ? NULL : config_value_name(&r->epoch->words, CONFIG_INTERVAL);
}

/* The delays of late ticks; empty if the clock rate is not known. */
static json_t *lateness(const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    struct masked_durations_row row[SNAPSHOT_BUCKETS];
    unsigned rows = s ? masked_durations_of(s, r->options->clock_hz, row) : 0;
    json_t *array = json_array();

    for (unsigned i = 0; i < rows; i++)
        REPORT_ADD(array, delay, row[i].low, row[i].high, row[i].ticks, row[i].per_second);
    return array;
}

/* A cell; changes are not known where the row has no such cell. */
static json_t *share(const struct stat_report *r, const struct table_cell *cell, struct report_maybe changes,
                     double masked)
{
    const struct snapshot *s = r->epoch->snapshot;
    struct tally tally = {cell->hits, s->samples, changes.value};
    bool estimated = changes.known && !r->options->estimator.reason && s->samples;

    return REPORT_MAKE(cell, .hits = {changes.known, cell->hits}, .percent = cell->percent, .low = cell->low,
                       .high = cell->high, .low999 = cell->low999, .high999 = cell->high999, .exact = cell->exact,
                       .masked = masked, .changes = changes,
                       .deff = estimated ? confidence_deff(&r->options->estimator, &tally) : NAN);
}

static json_t *row(const struct stat_report *r, const struct snapshot_row *from)
{
    const struct snapshot *s = r->epoch->snapshot;
    struct table_row t = table_row(s, from, r->options);
    double masked = t.modes ? 0.0 : NAN;
    json_t *cell[MODES];

    for (unsigned m = 0; m < MODES; m++) {
        double percent = t.modes ? table_percent_of_tau(s, (double)from->masked[m]) : NAN;

        masked += percent;
        cell[m] = share(r, &t.cell[m], REPORT_KNOWN_IF(t.modes, from->changes[m]), percent);
    }
    return REPORT_MAKE(table_row, .name = from->name, .id = from->id, .task = from->id < ROW_IDLE,
                       .user = cell[MODE_USER], .supervisor = cell[MODE_SUPERVISOR], .kernel = cell[MODE_KERNEL],
                       .interrupt = cell[MODE_INTERRUPT],
                       .total = share(r, &t.total, REPORT_KNOWN(from->total_changes), masked));
}

/* All rows; row MASKED is present if ticks were late or masked time was measured. */
static json_t *rows(const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    json_t *array = json_array();
    bool has_masked = false;

    for (uint32_t i = 0; s && i < s->rows; i++) {
        const struct snapshot_row *from = &s->row[i];

        has_masked |= from->id == ROW_MASKED;
        if (from->id != ROW_LOST || from->total)
            json_array_append_new(array, row(r, from));
    }
    if (s && s->exact && !has_masked && !r->options->unmasked)
        json_array_append_new(
            array, row(r, &(struct snapshot_row){.id = ROW_MASKED, .name = "MASKED"}));
    return array;
}

static json_t *modes(const struct stat_report *r)
{
    const struct snapshot *s = r->epoch->snapshot;
    json_t *cell[MODES] = {NULL};
    struct table_row t;

    if (s)
        t = table_total(s, r->options);
    for (unsigned m = 0; s && m < MODES; m++) {
        double masked = 0.0;

        for (uint32_t i = 0; i < s->rows; i++)
            masked += (double)s->row[i].masked[m];
        cell[m] = share(r, &t.cell[m], REPORT_KNOWN(s->mode_changes[m]), table_percent_of_tau(s, masked));
    }
    return REPORT_MAKE(mode_sums, cell[MODE_USER], cell[MODE_SUPERVISOR], cell[MODE_KERNEL], cell[MODE_INTERRUPT]);
}

static void append(void *context, const char *sentence)
{
    json_array_append_new(context, json_text_or_null(sentence));
}

/* What cannot be of a table. */
static json_t *unsound(const struct epoch *e)
{
    json_t *sentences = json_array();

    plausible_table(e, append, sentences);
    return sentences;
}

json_t *stat_json_table(const struct stat_report *r)
{
    const struct epoch *e = r->epoch;
    const struct snapshot *s = e->snapshot, *timed = s && s->exact ? s : NULL, *pointed = s && s->points ? s : NULL;
    const double hz = e->has_hello ? (double)e->hello.clock_hz : 0.0;
    char verdict[VERDICT_SENTENCE];
    const double wall = s ? (double)s->end - (double)s->begin : NAN;

    verdict_make(verdict, s, r->options);
    printable(verdict);
    return REPORT_MAKE(
        stat_table, .words = e->has_hello ? e->hello.words.bytes : NULL, .policy = policy(e),
        .interval = interval_name(r), .interval_reason = r->options->wald ? NULL : r->options->estimator.reason,
        .samples = NUMBER_OF(s, samples), .ticks = NUMBER_OF(s, ticks), .points = NUMBER_OF(pointed, points),
        .in_handler = NUMBER_OF(pointed, in_handler), .late = NUMBER_OF(s, late), .lateness = lateness(r),
        .handler_bias = pointed ? table_handler_bias(s, r->options) : NAN,
        .missed = missed_json(s, s && r->options->excess_per_tick != 0 ? table_missed_masked(s, r->options) : NAN),
        .lost = lost_json(s),
        .clock_hz = REPORT_KNOWN_IF(hz > 0.0, e->hello.clock_hz),
        .window = REPORT_MAKE(window, NUMBER_OF(s, begin), NUMBER_OF(s, end), .seconds = wall / hz),
        .tau = REPORT_KNOWN_IF(timed, snapshot_tau(s)), .age = s ? (double)epoch_age(e) / hz : NAN,
        .monitor = REPORT_MAKE(monitor_time, .clock = NUMBER_OF(timed, monitor),
                               .percent = timed ? 100.0 * (double)s->monitor / wall : NAN),
        .transitions = NUMBER_OF(timed, transitions), .resolution = s ? table_resolution(s, r->options) : NAN,
        .generator = NUMBER_OF(s, generator), .intervals = NUMBER_OF(s, intervals), .tasks = rows(r),
        .modes = modes(r), .verdict = *verdict ? verdict : NULL, .unsound = unsound(e));
}
