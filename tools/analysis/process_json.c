/* SPDX-License-Identifier: MIT */
/* Makes JSON of tables of processes. */
#include "tools/analysis/process_json.h"

#include <math.h>
#include <stdlib.h>

#include "probe/stats/process_collection.h"
#include "tools/analysis/monitor_diff.h"
#include "tools/base/alloc.h"

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
