/* SPDX-License-Identifier: MIT */
/* Makes JSON of the records of software monitors. */
#include "tools/json/report_json.h"

#include "probe/stats/monitor_print.h"
#include "tools/analysis/acct_diff.h"
#include "tools/analysis/monitor_times.h"
#include "tools/records/plain_report.h"
#include "tools/records/record_store.h"

#define IDLE_READING_MEMBERS(M, O)                                                  \
    M(COUNT, serial, "number of the snapshot")                                      \
    M(COUNT, end, "time of the reading, clock units since the start")               \
    M(COUNT, idle, "increase of CNT1: idle time, clock units")                      \
    M(COUNT, clock, "increase of CNT2: all time, clock units")                      \
    M(COUNT, io, "part of the idle time in which a task waited for a device, clock units") \
    M(COUNT, halts, "increase of the count of halts")                               \
    M(REAL, load, "100 (1 - idle / clock), percent")
REPORT_OBJECT(idle_reading, IDLE_READING_MEMBERS)

#define IDLE_MEMBERS(M, O)                                                          \
    M(COUNT, clock_hz, "frequency of the clock units, Hz")                          \
    O(OBJECT, total, idle_reading, "from the beginning to the last reading")        \
    M(REAL, resolution, "halts times an empty interrupt, percent of CNT2")          \
    O(LIST, readings, idle_reading, "each reading against the one before")          \
    M(COUNT_OR_NULL, exact, "the exact time of IDLE in kernel mode with interrupts on at the last reading, " \
                            "clock units; null: it is not there")
REPORT_WHOLE(idle, "cpuprobe-idle-1", IDLE_MEMBERS)

static json_t *reading_json(const struct wire_idle *from, const struct wire_idle *to)
{
    const struct idle_load l = idle_between(from, to);

    return REPORT_MAKE(idle_reading, .serial = to->serial, .end = to->end, .idle = l.idle, .clock = l.clock,
                       .io = l.io, .halts = l.halts, .load = idle_load_busy(&l));
}

json_t *idle_json(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_IDLE);
    const struct wire_idle *const reading = record_head(s, 0), *const last = record_last(s);
    struct report_maybe exact = {0};
    json_t *readings;
    struct idle_load all;

    if (!last)
        return NULL;
    all = idle_between(NULL, last);
    readings = json_array();
    for (size_t i = 0; i < s->head.count; i++)
        json_array_append_new(readings, reading_json(i ? &reading[i - 1] : NULL, &reading[i]));
    exact.known = idle_exact(e, last->serial, &exact.value);
    return REPORT_MAKE(idle, .clock_hz = e->hello.clock_hz, .total = reading_json(NULL, last),
                       .resolution = idle_load_resolution(&all, e->hello.entry), .readings = readings,
                       .exact = exact);
}

REPORT_RECORD(vector, WIRE_ROW_INTERCEPT, static)

#define INTERCEPT_MEMBERS(M, O)                                                     \
    M(COUNT, clock_hz, "frequency of the clock units, Hz")                          \
    M(COUNT, begin, "when the first interrupt was counted, clock units since the start") \
    M(COUNT, end, "when the last one was, clock units since the start")             \
    M(COUNT, starts, "how often the gates were redirected")                         \
    M(COUNT, handlers, "time of all vectors but those of ticks, clock units")       \
    M(COUNT_OR_NULL, exact, "column Interrupt of the exact table at the same moment, masked time included; " \
                            "null: it covers something else") \
    O(LIST, vectors, vector, "those that interrupted, by their numbers")
REPORT_WHOLE(intercept, "cpuprobe-intercept-1", INTERCEPT_MEMBERS)

json_t *intercept_json(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_INTERCEPT);
    const struct wire_intercept *const head = record_last(s);
    struct report_maybe exact = {0};
    json_t *vectors;

    if (!s->row.count)
        return NULL;
    vectors = json_array();
    for (size_t i = 0; i < s->row.count; i++)
        json_array_append_new(vectors, plain_row_json(WIRE_INTERCEPT, record_row(s, i), NULL));
    exact.known = intercept_exact(e, &exact.value);
    return REPORT_MAKE(intercept, .clock_hz = e->hello.clock_hz, .begin = head->begin, .end = head->end,
                       .starts = head->starts, .handlers = intercept_handlers(e), .exact = exact, .vectors = vectors);
}

REPORT_RECORD(acct_used, WIRE_USE_ACCT, static)

#define ACCT_TASK_MEMBERS(M, O)                                                     \
    M(COUNT, task, "number of the task since the boot, from 1")                     \
    M(TEXT, name, "name of the row")                                                \
    O(PART, used, acct_used, "")                                                    \
    M(FLAG, new, "it began between the moments")                                    \
    M(FLAG, gone, "it ended between the moments")                                   \
    M(FLAG, touched, "it used time or made a call between the moments")
REPORT_OBJECT(acct_task, ACCT_TASK_MEMBERS)

REPORT_RECORD(acct_range, WIRE_ROW_RANGES, static)

#define ACCT_MEMBERS(M, O)                                                          \
    M(COUNT, clock_hz, "frequency of the clock units, Hz")                          \
    M(COUNT, from, "first of the two moments of the log, clock units since the start") \
    M(COUNT, to, "second of the two moments, clock units since the start")          \
    M(COUNT, lost, "records of ended tasks that found no room in the image")        \
    M(COUNT, ranged, "time between the readings of the ranges, clock units")        \
    O(LIST, ranges, acct_range, "by the user event before it the time of tasks")    \
    O(LIST, tasks, acct_task, "what each task used between the moments")
REPORT_WHOLE(acct, "cpuprobe-acct-1", ACCT_MEMBERS)

static json_t *task_json(const struct epoch *e, const struct acct_task *t)
{
    char name[NAME_SIZE];

    epoch_name_of(e, (uint32_t)t->used.id, name);
    return REPORT_MAKE(acct_task, .task = t->used.task, .name = name,
                       .used = plain_row_json(WIRE_ACCT, &t->used, "user"), .new = t->is_new, .gone = t->gone,
                       .touched = t->touched);
}

json_t *acct_json(const struct epoch *e, const struct acct_diff *d)
{
    const struct wire_acct *const log = record_last(epoch_kept(e, WIRE_ACCT));
    json_t *ranges = json_array(), *tasks = json_array();

    for (unsigned event = 0; event <= WIRE_RANGE_MAX; event++)
        if (d->range[event].times || d->range[event].time)
            json_array_append_new(ranges, plain_row_json(WIRE_RANGES, &d->range[event], NULL));
    for (size_t i = 0; i < d->tasks; i++)
        json_array_append_new(tasks, task_json(e, &d->task[i]));
    return REPORT_MAKE(acct, .clock_hz = e->hello.clock_hz, .from = d->from, .to = d->to, .lost = log->lost,
                       .ranged = d->ranged, .ranges = ranges, .tasks = tasks);
}

json_t *acct_json_whole(const struct epoch *e)
{
    struct acct_diff d;
    json_t *object;

    if (!acct_diff_make(&d, e, 0, UINT64_MAX))
        return NULL;
    object = acct_json(e, &d);
    acct_diff_free(&d);
    return object;
}

REPORT_RECORD(disk, WIRE_COUNTERS_DISK, )

json_t *disk_json(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_DISK);

    return s->head.count ? plain_fields_json(s->head.field, s->head.fields, record_last(s), "time") : NULL;
}
