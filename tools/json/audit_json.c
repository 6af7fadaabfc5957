/* SPDX-License-Identifier: MIT */
/* The lines of the report, one after the other, as members. */
#include "tools/json/audit_json.h"

#include <math.h>

#include "probe/stats/masked_durations.h"
#include "probe/stats/table.h"
#include "tools/base/json_value.h"

/* Of clock units; NaN where their rate is not known. */
static double micros(const struct epoch *e, double clocks)
{
    return e->hello.clock_hz ? clocks * 1e6 / (double)e->hello.clock_hz : NAN;
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : NAN;
}

static json_t *lateness(const struct epoch *e)
{
    const struct snapshot *s = e->snapshot;
    struct masked_durations_row row[SNAPSHOT_BUCKETS];
    const unsigned rows = masked_durations_of(s, e->hello.clock_hz, row);
    json_t *buckets = json_array();

    for (unsigned i = 0; i < rows; i++)
        json_array_append_new(buckets, json_pack("{so so so}", "low", json_finite(row[i].low), "high", json_finite(row[i].high),
                                                 "ticks", json_count(row[i].ticks)));
    return json_pack("{so so so so so so}", "in_time", json_count(s->ticks - s->late), "within_us",
                     json_finite(micros(e, (double)e->hello.late)), "late", json_count(s->late), "rows",
                     json_string(table_late_rows(s, e->words_known && config_via_nmi(&e->words))), "all_us",
                     json_finite(micros(e, (double)s->lateness)), "buckets", buckets);
}

static json_t *window(const struct epoch *e, const struct audit *a)
{
    const struct snapshot *s = e->snapshot;

    if (!e->hello.clock_hz)
        return json_null();
    return json_pack("{so so so}", "seconds", json_finite(micros(e, (double)(s->end - s->begin)) / 1e6), "from_first_tick",
                     json_finite(s->first ? micros(e, (double)(s->end - s->first)) / 1e6 : NAN), "unaccounted",
                     json_finite(a->one_shot && !e->hello.unit ? micros(e, (double)audit_drift(e, &e->last_head)) / 1e6 : NAN));
}

static json_t *raw(const struct epoch *e, const struct audit *a)
{
    const struct samples *s = e->samples;

    if (!s)
        return json_null();
    return json_pack("{so so so so so}", "told", json_count(s->told), "arrived", json_count(s->count), "lost",
                     json_count(s->lost), "absent", json_count(a->absent), "twice", json_count(s->duplicates));
}

static json_t *intervals(const struct epoch *e, const struct audit *a)
{
    const bool any = a->checked > a->excused;

    if (!e->samples || a->checked + a->spanned == 0)
        return json_null();
    return json_pack("{so so so so so}", "checked", json_count(a->checked), "excused", json_count(a->excused), "least_us",
                     json_finite(any ? micros(e, (double)a->shortest) : NAN), "most_us",
                     json_finite(any ? micros(e, (double)a->longest) : NAN), "spanned", json_count(a->spanned));
}

static json_t *phase(const struct audit_phase *p)
{
    if (!p->samples)
        return json_null();
    return json_pack("{so si si so so so sb}", "samples", json_count(p->samples), "parts", AUDIT_BINS, "covered",
                     (int)(AUDIT_BINS - p->empty), "least_percent", json_finite(percent((double)p->least, (double)p->samples)),
                     "most_percent", json_finite(percent((double)p->most, (double)p->samples)), "chi_square",
                     json_finite(p->chi_square), "even", p->even && !p->empty);
}

static json_t *rate(const struct epoch *e)
{
    const struct snapshot *s = e->snapshot;
    const double mean = epoch_mean(e), hz = (double)e->hello.clock_hz, length = (double)(s->end - s->begin);
    const double due = (double)(e->hello.unit ? s->points : s->ticks);

    if (mean <= 0 || hz <= 0 || length <= 0)
        return json_null();
    return json_pack("{so so so so}", "hz", json_finite(due * hz / length), "nominal_hz", json_finite(hz / mean),
                     "off_percent", json_finite(percent(due * mean - length, length)), "intervals_percent",
                     json_finite(percent((double)e->hello.mean * audit_intervals(e, s) / 65536 - (double)s->intervals,
                                         (double)s->intervals)));
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
    if (!a->replayed)
        return json_null();
    return json_pack("{so so so so}", "interval", json_text_or_null(config_value_name(&e->words, CONFIG_INTERVAL)), "seed",
                     json_count(e->hello.seed), "agreed", json_count(a->agreed), "snapshots", json_count(e->head_count));
}

json_t *audit_json_source(const struct epoch *e, const struct audit *a)
{
    const struct snapshot *s = e->snapshot;
    const double mean = epoch_mean(e);
    const char *verdict = a->faults ? "foreign" : a->replayed ? "own" : NULL;

    return json_pack("{so so so so so so so s{so so so} s{so so} so so so so so so so so so}",
                     "source", json_text_or_null(e->has_hello ? e->hello.source.bytes : NULL), "ticks", json_count(s->ticks),
                     "replay", replay(e, a), "given_up_at", a->cut ? json_count(a->cut) : json_null(),
                     "samples", json_count(s->samples),
                     "points", s->points ? json_count(s->points) : json_null(),
                     "in_handler", s->points ? json_count(s->in_handler) : json_null(),
                     "missed", "masked", json_finite(mean > 0 ? (double)s->excess / mean : NAN), "overrun",
                     json_count(s->missed_overrun), "source", json_count(s->missed_source),
                     "lost", "table", json_count(s->lost_table), "ring", json_count(s->lost_ring),
                     "lateness", lateness(e), "window", window(e, a), "raw", raw(e, a), "intervals", intervals(e, a),
                     "phase", phase(&a->phase), "rate", rate(e), "faults", json_count(a->faults), "findings", findings(a),
                     "verdict", json_text_or_null(verdict));
}
