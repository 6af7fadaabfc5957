/* SPDX-License-Identifier: MIT */
/* Lists what monitors tell in the JSON of `cpuprobe stat`: a row of one table for each. */
#include "probe/stats/monitor_print.h"
#include "tools/analysis/process_json.h"
#include "tools/base/report_object.h"
#include "tools/json/report_json.h"
#include "tools/stat/stat_report.h"
#include "tools/view/callers_view.h"
#include "tools/view/procstat_json.h"
#include "tools/view/profile_json.h"

#define IDLE_TASK_MEMBERS(M, O)                                                     \
    M(COUNT, task, "number of its slot")                                            \
    M(TEXT, name, "its name")                                                       \
    M(COUNT, begin, "begin of the reading, clock units since the start")            \
    M(COUNT, end, "end of the reading, clock units since the start")                \
    M(COUNT, count, "what it counted")                                              \
    M(COUNT, calibrated, "what it counts alone")                                    \
    M(COUNT, took, "time of the calibration, clock units")                          \
    M(REAL, busy, "load by the count, percent")
REPORT_OBJECT(idle_task, IDLE_TASK_MEMBERS)

#define PERF_CALL_MEMBERS(M, O)                                                     \
    M(COUNT, begin, "first reading, clock units since the start")                   \
    M(COUNT, end, "last reading, clock units since the start")                      \
    M(COUNT, time, "time between them, clock units")                                \
    M(REAL, idle, "idle, percent of it")                                            \
    M(REAL, busy, "busy, percent of it")                                            \
    M(REAL, interrupt, "in interrupt handlers, percent of it")
REPORT_OBJECT(perf_call, PERF_CALL_MEMBERS)

static json_t *count_json(const struct epoch *e, const struct wire_idletask_row *r)
{
    char name[NAME_SIZE];

    epoch_name_of(e, (uint32_t)r->id, name);
    return REPORT_MAKE(idle_task, .task = r->task, .name = name, .begin = r->begin, .end = r->end, .count = r->count,
                       .calibrated = r->calibrated, .took = r->took, .busy = idle_task_busy(r));
}

static json_t *idle_task_json(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_IDLETASK);
    json_t *rows;

    if (!s->row.count)
        return NULL;
    rows = json_array();
    for (size_t i = record_last_rows(s); i < s->row.count; i++)
        json_array_append_new(rows, count_json(e, record_row(s, i)));
    return rows;
}

static json_t *perf_call_json(const struct epoch *e)
{
    const struct wire_perfcall *const p = record_last(epoch_kept(e, WIRE_PERFCALL));

    if (!p)
        return NULL;
    return REPORT_MAKE(perf_call, .begin = p->begin, .end = p->end, .time = p->time,
                       .idle = load_percent(p->idle, p->time), .busy = load_percent(p->busy, p->time),
                       .interrupt = load_percent(p->interrupt, p->time));
}

static json_t *walks_json(const struct epoch *e)
{
    return stack_walks_json(epoch_walks(e));
}

/* kind, name of the member, its object, the function that makes it of an epoch, what it is. */
#define MONITOR_REPORTS(R)                                                          \
    R(OBJECT_OR_NULL, callers, callers, callers_json,                               \
      "monitor=callers: calls by their return addresses, of all tasks; else null")  \
    R(OBJECT_OR_NULL, stacks, stack_walks, walks_json,                              \
      "stack=: how samples in user mode found their callers; else null")            \
    R(OBJECT_OR_NULL, procstat, procstat_levels, procstat_json_whole,               \
      "monitor=procstat: the tick counters of the whole epoch; else null")          \
    R(LIST_OR_NULL, idletask, idle_task, idle_task_json,                            \
      "monitor=idletask: by its last reading each task that counts; else null")     \
    R(OBJECT_OR_NULL, perfcall, perf_call, perf_call_json,                          \
      "monitor=perfcall: the performance counters of its last call; else null")     \
    R(OBJECT_OR_NULL, proctable, process_table, process_table_json_last,            \
      "monitor=proctable: the last table, with passes since they are counted; else null") \
    R(OBJECT_OR_NULL, idle, idle, idle_json, "monitor=idle: the report of idle; else null") \
    R(OBJECT_OR_NULL, intercept, intercept, intercept_json,                         \
      "monitor=intercept: the report of intercept; else null")                      \
    R(OBJECT_OR_NULL, acct, acct, acct_json_whole,                                  \
      "monitor=acct: the report of acct over the whole run, with the ranges of user events; else null") \
    R(OBJECT_OR_NULL, disk, disk, disk_json,                                        \
      "the disk from the boot to the last reading; null: nothing was told of it")   \
    R(LIST_OR_NULL, calls, profile, profile_json_counted,                           \
      "of each program that counts its calls the report of profile, by addresses alone, without samples; " \
      "null: none does")                                                            \
    R(OBJECT_OR_NULL, survey, machine, survey_json, "tasks=survey: the survey of the machine; else null") \
    R(LIST, profil, profil, stat_json_profils, "monitor=profil: the profile of each task")

#define MEMBER(kind, name, of, make, what) REPORT_ROW_OF(kind, name, of, what)
#define VALUE(kind, name, of, make, what)  make(e),

static const struct report_member stat_monitors_member[] = {MONITOR_REPORTS(MEMBER)};
const struct report_object stat_monitors_object = {REPORT_ROWS(stat_monitors)};

json_t *stat_json_monitors(const struct epoch *e)
{
    json_t *const values[] = {MONITOR_REPORTS(VALUE)};

    return report_object_make(&stat_monitors_object, values);
}
