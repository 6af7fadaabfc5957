/* SPDX-License-Identifier: MIT */
/* Makes JSON of tables of processes. */
#include "tools/analysis/process_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/saturate.h"

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

static json_t *process_json(const struct process_collection *c, const struct process *p)
{
    const struct process_entry *n = &p->entry;

    return REPORT_MAKE(process, .task = n->task, .name = n->name, .id = n->id,
                       .priority = process_priority_name(n->priority),
                       .state = p->gone ? "ended" : process_state_name(n->state),
                       .owns_system = n->flags & PROCESS_OWNS_SYSTEM, .new = p->fresh, .ended = p->gone,
                       .user = p->user, .system = p->system,
                       .usage = p->gone ? NAN : percent_of((double)process_own(p), (double)c->total));
}

json_t *process_table_json(const struct process_collection *c, const struct wire_proctable *head)
{
    json_t *processes = json_array();

    for (uint32_t i = 0; i < c->count; i++)
        json_array_append_new(processes, process_json(c, &c->process[i]));
    return REPORT_MAKE(process_table, .total = c->total, .processes = processes,
                       .busy = percent_of((double)process_collection_busy(c), (double)c->total),
                       .serial = head->serial, .time = head->time, .passes = head->passes);
}

/* Readings of the table of processes. */

static struct process_entry entry_of(const struct epoch *e, const struct wire_proctable_row *row)
{
    struct process_entry entry = {
        .task = row->task, .user = row->user, .system = row->system, .id = (uint32_t)row->id,
        .priority = (int8_t)wire_unzigzag(row->priority), .state = (uint8_t)row->state, .flags = (uint8_t)row->flags,
    };

    epoch_name_of(e, entry.id, entry.name);
    return entry;
}

bool process_table_collect(struct process_collection *c, const struct epoch *e, size_t table, bool *room)
{
    const struct record_store *const s = epoch_kept(e, WIRE_PROCTABLE);
    const struct wire_proctable *const head = record_head(s, table);
    const size_t end = record_rows_end(s, table);

    if (end - s->first[table] != head->tasks)
        return false;
    process_collection_begin(c);
    *room = true;
    for (size_t i = s->first[table]; i < end && *room; i++) {
        const struct process_entry entry = entry_of(e, record_row(s, i));

        *room = process_collection_add(c, &entry);
    }
    process_collection_end(c);
    return true;
}

/* Since the passes were counted first: the last whole table; NULL: there is none, or too large a one. */
static const struct wire_proctable *last_table(struct process_collection *c, const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_PROCTABLE);
    bool room;

    memset(c, 0, sizeof(*c));
    for (size_t i = s->head.count; i > 0; i--)
        if (process_table_collect(c, e, i - 1, &room))
            return room ? record_head(s, i - 1) : NULL;
    return NULL;
}

json_t *process_table_json_last(const struct epoch *e)
{
    struct process_collection *c = xrealloc_array(NULL, 1, sizeof(*c));
    const struct wire_proctable *const head = last_table(c, e);
    json_t *const object = head ? process_table_json(c, head) : NULL;

    free(c);
    return object;
}
