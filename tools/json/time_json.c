/* SPDX-License-Identifier: MIT */
/* Makes the JSON of `cpuprobe time`: the time in clock units and, where their rate is known, in seconds. */
#include "tools/json/time_json.h"

#include <math.h>

#define SELECTION_MEMBERS(M, O)                                                     \
    M(TEXT, task, "name of the task; null: any task")                               \
    M(TEXT, mode, "null: all modes")                                                \
    M(TEXT, function, "null: all selected addresses")                               \
    M(ADDRESS_OR_NULL, low, "first address; null: all")                             \
    M(ADDRESS_OR_NULL, high, "the address behind the last; null: all")
REPORT_OBJECT(selection, SELECTION_MEMBERS)

#define ELAPSED_MEMBERS(M, O)                                                       \
    M(REAL, clocks, "clock units")                                                  \
    M(REAL, seconds, "the same, s; null: the clock's rate is not known")            \
    M(TEXT, how, "from what it was found")
REPORT_OBJECT(elapsed, ELAPSED_MEMBERS)

#define TIME_OF_ONE_MEMBERS(M, O)                                                   \
    M(REAL, time, "estimate")                                                       \
    M(REAL, low, "lower end of its 95 % interval")                                  \
    M(REAL, high, "upper end of its 95 % interval")                                 \
    M(REAL, low999, "lower end of its 99.9 % interval")                             \
    M(REAL, high999, "upper end of its 99.9 % interval")
REPORT_OBJECT(time_of_one, TIME_OF_ONE_MEMBERS)

#define TIME_MEMBERS(M, O)                                                          \
    O(OBJECT_OR_NULL, selection, selection, "what was measured; null: the paper's formula, without a file") \
    M(COUNT_OR_NULL, samples, "samples that were counted; null: without a file")    \
    M(COUNT_OR_NULL, hits, "samples in the selection; null: without a file")        \
    M(COUNT_OR_NULL, unresolved, "samples without a known place: they may be of it; null: without a file") \
    O(OBJECT_OR_NULL, elapsed, elapsed, "length of the run; null: without a file")  \
    M(COUNT_OR_NULL, clock_hz, "frequency of the clock units, Hz; null: not known") \
    M(REAL, count, "executions")                                                    \
    O(OBJECT_OR_NULL, clocks, time_of_one, "time of one execution, clock units; null: without a file") \
    O(OBJECT_OR_NULL, seconds, time_of_one, "time of one execution, s; null: the clock's rate is not known") \
    M(TEXT, interval_reason, "why there are no intervals; null: there are")         \
    M(REAL, handler_bias, "clock units by which the time is off at most because fewer points fall into handlers; " \
                          "intervals have room for it, but with --wald; null: not known")
REPORT_WHOLE(time, "cpuprobe-time-1", TIME_MEMBERS)

static const char *reason_of(const struct time_report *r)
{
    return r->wald ? NULL : r->side ? r->side->profile.estimator.reason : "it takes a recorded run";
}

/* The time of one execution and its intervals, in units of `unit` clock units. */
static json_t *time_in(const struct time_report *r, double unit)
{
    const double per = reason_of(r) ? NAN : unit;
    const struct confidence *c = r->clocks;

    return REPORT_MAKE(time_of_one, c[LEVEL_95].estimate / unit, c[LEVEL_95].low / per, c[LEVEL_95].high / per,
                       c[LEVEL_999].low / per, c[LEVEL_999].high / per);
}

static json_t *selection_of(const struct time_report *r)
{
    const struct profile_request *q = &r->side->profile.request;
    const bool some = r->request->low || r->request->high;

    return REPORT_MAKE(selection, .task = q->task == ROW_ANY ? NULL : r->side->profile.task,
                       .mode = q->all_modes ? NULL : mode_name(q->mode), .function = r->function,
                       .low = REPORT_KNOWN_IF(some, r->request->low),
                       .high = REPORT_KNOWN_IF(some, r->request->high));
}

static json_t *paper(const struct time_report *r)
{
    return REPORT_MAKE(time, .count = r->count, .seconds = REPORT_MAKE(time_of_one, r->seconds, NAN, NAN, NAN, NAN),
                       .interval_reason = reason_of(r), .handler_bias = NAN);
}

static json_t *recorded(const struct time_report *r)
{
    const uint64_t hz = r->side->epoch->hello.clock_hz;

    return REPORT_MAKE(time, .selection = selection_of(r), .samples = REPORT_KNOWN(r->tally->samples),
                       .hits = REPORT_KNOWN(r->tally->hits), .unresolved = REPORT_KNOWN(r->side->profile.unresolved),
                       .elapsed = REPORT_MAKE(elapsed, .clocks = r->elapsed, .how = r->how,
                                              .seconds = hz ? r->elapsed / (double)hz : NAN),
                       .clock_hz = REPORT_KNOWN_IF(hz, hz), .count = r->count, .clocks = time_in(r, 1),
                       .seconds = hz ? time_in(r, (double)hz) : NULL, .interval_reason = reason_of(r),
                       .handler_bias = r->handler_bias);
}

void time_json(const struct time_report *r)
{
    json_print(r->side ? recorded(r) : paper(r), JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}
