/* SPDX-License-Identifier: MIT */
/*
 * Checks an epoch against itself, where what a check compares is in the sentence that it gives; compares the tables
 * of its two sources for the alias alarm.
 */

#include "tools/analysis/plausible.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "tools/analysis/report.h"
#include "tools/base/saturate.h"

#define EDGE_COUNTS 2 /* a timer loads on edges of its clock, and is armed for whole counts */
#define STRATA      3 /* points by which strata, or points that only shake, can be off the rate */
#define DEVIATIONS  6 /* standard deviations by which independent intervals can be */
#define HOOK_POINTS 1 /* by which a port's account may lie outside of the samples' limits: masked code, handlers */
#define THRESHOLD   10000 /* of a second: a tick that comes later behind the least latency is late, on any machine */

struct saying {
    plausible_sink *say;
    void *context;
};

static void say(const struct saying *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(const struct saying *to, const char *format, ...)
{
    char sentence[PLAUSIBLE_SENTENCE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    to->say(to->context, sentence);
}

int64_t plausible_before(const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;

    return saturate_signed(((unsigned __int128)EDGE_COUNTS * h->source_clock >> 16) +
                           (h->late > h->floor ? h->late - h->floor : 0) + 1);
}

int64_t plausible_behind(const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;

    if (h->halt_late == UINT64_MAX)
        return INT64_MAX;
    return saturate_signed((unsigned __int128)(h->halt_late > h->late ? h->halt_late : h->late) + h->handler +
                           h->entry + (uint64_t)plausible_before(e));
}

void plausible_arrivals(const struct epoch *e, const char *whose, uint64_t serial, int64_t earliest, int64_t latest,
                        plausible_sink *sink, void *context)
{
    const struct saying to = {sink, context};

    if (earliest < -plausible_before(e))
        say(&to, "%s %" PRIu64 ": a tick came %" PRIu64 " clock units before its point", whose, serial,
            -(uint64_t)earliest);
    if (latest > plausible_behind(e))
        say(&to, "%s %" PRIu64 ": a tick came %" PRId64 " clock units after its point and is not late", whose, serial,
            latest);
}

/* ---- one snapshot; what is 0 was not told ---- */

static void check_counts(const struct wire_snapshot *head, const struct saying *to)
{
    if (head->samples && head->samples != head->ticks)
        say(to, "snapshot %" PRIu64 ": %" PRIu64 " ticks and %" PRIu64 " samples", head->serial, head->ticks,
            head->samples);
    if (head->late > head->ticks || head->lateness < head->excess)
        say(to, "snapshot %" PRIu64 ": what it tells of late ticks does not add up", head->serial);
    if (head->points && head->samples && head->points != head->samples + head->in_handler)
        say(to, "snapshot %" PRIu64 ": of %" PRIu64 " points %" PRIu64 " are samples and %" PRIu64
                " fell into handlers", head->serial, head->points, head->samples, head->in_handler);
}

static void check_times(const struct wire_snapshot *head, const struct saying *to)
{
    if (head->end < head->begin || (head->first && (head->first < head->begin || head->first > head->end)))
        say(to, "snapshot %" PRIu64 ": its first and last tick are not in its window", head->serial);
    if (head->made && head->end > head->made)
        say(to, "snapshot %" PRIu64 ": its window ends after it was sent", head->serial);
    if (head->monitor > head->end - head->begin)
        say(to, "snapshot %" PRIu64 ": the handlers took longer than its window", head->serial);
}

static void check_arrivals(const struct epoch *e, const struct wire_snapshot *head, const struct saying *to)
{
    const __int128 sum = wire_unzigzag(head->arrived), count = head->arrivals;
    const int64_t earliest = wire_unzigzag(head->earliest), latest = wire_unzigzag(head->latest);

    if (!head->arrivals)
        return;
    plausible_arrivals(e, "snapshot", head->serial, earliest, latest, to->say, to->context);
    if (sum < count * earliest || sum > count * latest)
        say(to, "snapshot %" PRIu64 ": the sum of the arrivals is not between their bounds", head->serial);
}

/*
 * Points that the window can have more or fewer than the rate makes.  It ends with a tick that may be in time and yet
 * so much behind its point that others have passed.
 */
static double room_of_rate(const struct epoch *e, double due, double mean)
{
    const double behind = ((double)e->hello.late + (double)e->hello.handler) / mean;
    const bool independent = !epoch_policy_known(e) || e->words.interval == INTERVAL_RANDOM ||
                             e->words.interval == INTERVAL_EXPONENTIAL || e->words.interval == INTERVAL_ARITHMETIC;

    return STRATA + behind + (independent ? DEVIATIONS * sqrt(due) : 0);
}

static void check_rate(const struct epoch *e, const struct wire_snapshot *head, const struct saying *to)
{
    const double mean = epoch_mean(e);
    const double due = mean > 0 ? (double)(head->end - head->begin) / mean : 0;

    if (e->hello.unit && head->end > head->begin && mean > 0 &&
        fabs((double)head->points - due) > room_of_rate(e, due, mean))
        say(to, "snapshot %" PRIu64 ": %" PRIu64 " points in its window, and the rate makes %.1f", head->serial,
            head->points, due);
}

void plausible_head(const struct epoch *e, const struct wire_snapshot *head, plausible_sink *sink, void *context)
{
    const struct saying to = {sink, context};

    check_counts(head, &to);
    check_times(head, &to);
    check_arrivals(e, head, &to);
    check_rate(e, head, &to);
}

/* ---- the epoch ---- */

static void check_threshold(const struct epoch *e, const struct saying *to)
{
    const struct wire_hello *h = &e->hello;

    if (h->late < h->floor)
        say(to, "ticks are late from %" PRIu64 " clock units on, and none comes before %" PRIu64, h->late, h->floor);
    else if (h->clock_hz && h->late - h->floor > h->clock_hz / THRESHOLD)
        say(to, "a tick is late only from %.1f us on: what waits for less with interrupts off is charged to the "
                "code behind it", (double)(h->late - h->floor) * 1e6 / (double)h->clock_hz);
}

static void check_buckets(const struct snapshot *s, const struct saying *to)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < SNAPSHOT_BUCKETS; i++)
        sum += s->bucket[i];
    if (sum && sum != s->late) /* 0: it was not sent */
        say(to, "%" PRIu64 " late ticks, and %" PRIu64 " in the histogram of lateness", s->late, sum);
}

/* A port tells its account what runs; the samples see it by themselves. */
static void check_hooks(const struct epoch *e, const struct saying *to)
{
    const struct table_options o = report_options(e);

    for (uint32_t i = 0; i < e->snapshot->rows; i++) {
        const struct snapshot_row *const row = &e->snapshot->row[i];
        const struct table_cell total = table_row(e->snapshot, row, &o).total;
        char name[NAME_SIZE];

        if (row->id <= ROW_IDLE &&
            (total.exact < total.low999 - HOOK_POINTS || total.exact > total.high999 + HOOK_POINTS)) {
            epoch_name_of(e, row->id, name);
            say(to, "%s has %.1f %% by the account and %.1f to %.1f by samples: does each switch of tasks, and each "
                    "way into the kernel and out, call cpuprobe_now()?",
                name, total.exact, total.low999, total.high999);
        }
    }
}

void plausible_epoch(const struct epoch *e, plausible_sink *sink, void *context)
{
    const struct saying to = {sink, context};

    if (e->has_hello && e->hello.unit)
        check_threshold(e, &to);
    if (e->snapshot)
        check_buckets(e->snapshot, &to);
}

void plausible_table(const struct epoch *e, plausible_sink *sink, void *context)
{
    plausible_epoch(e, sink, context);
    if (e->head_count)
        plausible_head(e, &e->last_head, sink, context);
    if (e->snapshot && e->snapshot->exact && is_of_port(e))
        check_hooks(e, &(struct saying){sink, context});
}

bool alias_compare_make(struct alias_compare *b, const struct epoch *e)
{
    const struct epoch *const of[2] = {e, e->second_source};

    if (!e->second_source || !e->snapshot || !e->second_source->snapshot)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        b->options[i] = report_options(of[i]);
        b->side[i] = (struct alias_side){
            .source = of[i]->has_hello ? of[i]->hello.source.bytes : i ? "second" : "first",
            .snapshot = of[i]->snapshot, .options = &b->options[i],
        };
    }
    alias_compare(&b->alias, b->side);
    return true;
}
