/* SPDX-License-Identifier: MIT */
/* The time in clock units and, where their rate is known, in seconds. */
#include "tools/json/time_json.h"

#include <math.h>

#include "tools/base/json_value.h"

static const char *reason_of(const struct time_report *r)
{
    return r->wald ? NULL : r->side ? r->side->profile.estimator.reason : "it takes a recorded run";
}

/* The time of one execution and its intervals, in units of `unit` clock units. */
static json_t *time_in(const struct time_report *r, double unit)
{
    const bool has = !reason_of(r);
    const struct confidence *c = r->clocks;

    return json_pack("{so so so so so}", "time", json_finite(c[LEVEL_95].estimate / unit),
                     "low", json_finite(has ? c[LEVEL_95].low / unit : NAN), "high", json_finite(has ? c[LEVEL_95].high / unit : NAN),
                     "low999", json_finite(has ? c[LEVEL_999].low / unit : NAN),
                     "high999", json_finite(has ? c[LEVEL_999].high / unit : NAN));
}

static json_t *selection_of(const struct time_report *r)
{
    const struct profile_request *q = &r->side->profile.request;
    const bool some = r->request->low || r->request->high;

    return json_pack("{so so so so so}",
                     "task", json_text_or_null(q->task == ROW_ANY ? NULL : r->side->profile.task),
                     "mode", json_text_or_null(q->all_modes ? NULL : mode_name(q->mode)),
                     "function", json_text_or_null(r->function),
                     "low", some ? json_address(r->request->low) : json_null(),
                     "high", some ? json_address(r->request->high) : json_null());
}

static json_t *paper(const struct time_report *r)
{
    return json_pack("{ss sn sn sn sn sn sn so sn s{so sn sn sn sn} so}", "schema", "cpuprobe-time-1", "selection", "samples",
                     "hits", "unresolved", "elapsed", "clock_hz", "count", json_finite(r->count), "clocks", "seconds", "time",
                     json_finite(r->seconds), "low", "high", "low999", "high999", "interval_reason", json_text_or_null(reason_of(r)));
}

static json_t *recorded(const struct time_report *r)
{
    const struct wire_hello *h = &r->side->epoch->hello;
    const double hz = (double)h->clock_hz;

    return json_pack("{ss so so so so s{so so so} so so so so so}", "schema", "cpuprobe-time-1", "selection", selection_of(r),
                     "samples", json_count(r->tally->samples), "hits", json_count(r->tally->hits),
                     "unresolved", json_count(r->side->profile.unresolved),
                     "elapsed", "clocks", json_finite(r->elapsed), "seconds", json_finite(hz > 0 ? r->elapsed / hz : NAN),
                     "how", json_text_or_null(r->how),
                     "clock_hz", hz > 0 ? json_count(h->clock_hz) : json_null(), "count", json_finite(r->count),
                     "clocks", time_in(r, 1), "seconds", hz > 0 ? time_in(r, hz) : json_null(),
                     "interval_reason", json_text_or_null(reason_of(r)));
}

void time_json(const struct time_report *r)
{
    json_print(r->side ? recorded(r) : paper(r), JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}
