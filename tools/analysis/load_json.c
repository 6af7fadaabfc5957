/* SPDX-License-Identifier: MIT */
/* Makes JSON of load meters. */
#include "tools/analysis/load_json.h"

#include <math.h>
#include <stdlib.h>

#include "probe/stats/load_methods.h"
#include "probe/stats/process_collection.h"
#include "tools/analysis/process_tables.h"
#include "tools/base/alloc.h"

#define IDLE_TASK_MEMBERS(M, O)                                                     \
    M(COUNT, task, "number of its slot")                                            \
    M(TEXT, name, "its name")                                                       \
    M(COUNT, begin, "begin of the reading, clock units since the start")            \
    M(COUNT, end, "end of the reading, clock units since the start")                \
    M(COUNT, count, "what it counted")                                              \
    M(COUNT, calibrated, "what it counts alone")                                    \
    M(COUNT, took, "time of the calibration, clock units")                          \
    M(REAL, busy, "load by the count, percent")
REPORT_SHARED(idle_task, IDLE_TASK_MEMBERS)

#define PERF_CALL_MEMBERS(M, O)                                                     \
    M(COUNT, begin, "first reading, clock units since the start")                   \
    M(COUNT, end, "last reading, clock units since the start")                      \
    M(COUNT, time, "time between them, clock units")                                \
    M(REAL, idle, "idle, percent of it")                                            \
    M(REAL, busy, "busy, percent of it")                                            \
    M(REAL, interrupt, "in interrupt handlers, percent of it")
REPORT_SHARED(perf_call, PERF_CALL_MEMBERS)

#define PROCESS_MEMBERS(M, O)                                                       \
    M(COUNT, task, "number of its slot")                                            \
    M(TEXT, name, "its name")                                                       \
    M(COUNT, id, "its identifier")                                                  \
    M(TEXT, priority, "its priority")                                               \
    M(TEXT, state, "its state")                                                     \
    M(FLAG, owns_system, "time in the system is charged to it")                     \
    M(FLAG, new, "it was not in the table before")                                  \
    M(FLAG, ended, "it was in the table before and is not in this one")             \
    M(COUNT, user, "passes in user mode")                                           \
    M(COUNT, system, "passes in the system")                                        \
    M(REAL, usage, "percent of total; null: it ended, or total is 0")
REPORT_OBJECT(process, PROCESS_MEMBERS)

#define PROCESS_TABLE_MEMBERS(M, O)                                                 \
    M(COUNT, total, "passes of the tasks in the table")                             \
    M(REAL, busy, "percent of them that are not IDLE's")                            \
    O(LIST, processes, process, "the rows")                                         \
    M(COUNT, serial, "number of the table")                                         \
    M(COUNT, time, "when it was made, clock units since the start")                 \
    M(COUNT, passes, "passes of all tasks, also of those that ended")
REPORT_SHARED(process_table, PROCESS_TABLE_MEMBERS)

static json_t *count_json(const struct epoch *e, const struct wire_idletask_row *r)
{
    char name[NAME_SIZE];

    epoch_name_of(e, (uint32_t)r->id, name);
    return REPORT_MAKE(idle_task, .task = r->task, .name = name, .begin = r->begin, .end = r->end, .count = r->count,
                       .calibrated = r->calibrated, .took = r->took, .busy = idle_task_busy(r));
}

json_t *idle_task_json(const struct epoch *e)
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

json_t *perf_call_json(const struct epoch *e)
{
    const struct wire_perfcall *const p = record_last(epoch_kept(e, WIRE_PERFCALL));

    if (!p)
        return NULL;
    return REPORT_MAKE(perf_call, .begin = p->begin, .end = p->end, .time = p->time,
                       .idle = perf_load_percent(p->idle, p), .busy = perf_load_percent(p->busy, p),
                       .interrupt = perf_load_percent(p->interrupt, p));
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : NAN;
}

static json_t *process_json(const struct process_collection *c, const struct process *p)
{
    const struct process_entry *n = &p->entry;

    return REPORT_MAKE(process, .task = n->task, .name = n->name, .id = n->id,
                       .priority = process_priority_name(n->priority),
                       .state = p->gone ? "ended" : process_state_name(n->state),
                       .owns_system = n->flags & PROCESS_OWNS_SYSTEM, .new = p->fresh, .ended = p->gone,
                       .user = p->user, .system = p->system,
                       .usage = p->gone ? NAN : percent(process_own(p), c->total));
}

json_t *process_table_json(const struct process_collection *c, const struct wire_proctable *head)
{
    json_t *processes = json_array();

    for (uint32_t i = 0; i < c->count; i++)
        json_array_append_new(processes, process_json(c, &c->process[i]));
    return REPORT_MAKE(process_table, .total = c->total, .busy = percent(process_collection_busy(c), c->total),
                       .processes = processes, .serial = head->serial, .time = head->time,
                       .passes = head->passes);
}

json_t *process_table_json_last(const struct epoch *e)
{
    struct process_collection *c = xrealloc_array(NULL, 1, sizeof(*c));
    const struct wire_proctable *const head = process_table_last(c, e);
    json_t *const object = head ? process_table_json(c, head) : NULL;

    free(c);
    return object;
}
