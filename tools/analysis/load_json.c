/* SPDX-License-Identifier: MIT */
/* Load meters as JSON. */
#include "tools/analysis/load_json.h"

#include <stdlib.h>

#include "probe/stats/load_methods.h"
#include "probe/stats/process_collection.h"
#include "tools/analysis/process_tables.h"
#include "tools/base/alloc.h"
#include "tools/base/json_value.h"

static json_t *count_json(const struct epoch *e, const struct wire_idletask_row *r)
{
    const struct idle_task_load l = {r->end - r->begin, r->count, r->calibrated, r->took};
    char name[NAME_SIZE];

    epoch_name_of(e, (uint32_t)r->id, name);
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "task", json_count(r->task), "name", name,
                     "begin", json_count(r->begin), "end", json_count(r->end), "count", json_count(r->count),
                     "calibrated", json_count(r->calibrated), "took", json_count(r->took), "busy", json_finite(idle_task_busy(&l)));
}

json_t *idle_task_json(const struct epoch *e)
{
    const struct load_records *l = &e->load;
    json_t *rows;

    if (!l->idle_tasks)
        return json_null();
    rows = json_array();
    for (size_t i = 0; i < l->idle_tasks; i++)
        if (l->idle_task[i].serial == l->idle_task[l->idle_tasks - 1].serial)
            json_array_append_new(rows, count_json(e, &l->idle_task[i].row));
    return rows;
}

json_t *perf_call_json(const struct epoch *e)
{
    const struct load_records *l = &e->load;
    const struct wire_perfcall *p = l->perfs ? &l->perf[l->perfs - 1] : NULL;
    struct perf_load load;

    if (!p)
        return json_null();
    load = (struct perf_load){p->time, p->idle, p->busy, p->interrupt};
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "begin", json_count(p->begin), "end", json_count(p->end),
                     "time", json_count(p->time), "idle", json_finite(perf_load_percent(p->idle, &load)),
                     "busy", json_finite(perf_load_percent(p->busy, &load)),
                     "interrupt", json_finite(perf_load_percent(p->interrupt, &load)));
}

static json_t *percent(uint64_t part, uint64_t whole)
{
    return whole ? json_real(100.0 * (double)part / (double)whole) : json_null();
}

static json_t *process_json(const struct process_collection *c, const struct process *p)
{
    const struct process_entry *n = &p->entry;

    return json_pack("{s:o, s:s, s:o, s:s, s:s, s:b, s:b, s:b, s:o, s:o, s:o}", "task", json_count(n->task), "name", n->name,
                     "id", json_count(n->id), "priority", process_priority_name(n->priority),
                     "state", p->gone ? "ended" : process_state_name(n->state), "owns_system", n->flags & PROCESS_OWNS_SYSTEM,
                     "new", p->fresh, "ended", p->gone, "user", json_count(p->user), "system", json_count(p->system),
                     "usage", p->gone ? json_null() : percent(process_own(p), c->total));
}

static json_t *collection_json(const struct process_collection *c)
{
    json_t *processes = json_array();

    for (uint32_t i = 0; i < c->count; i++)
        json_array_append_new(processes, process_json(c, &c->process[i]));
    return json_pack("{s:o, s:o, s:o}", "total", json_count(c->total), "busy", percent(process_collection_busy(c), c->total),
                     "processes", processes);
}

json_t *process_table_json(const struct process_collection *c, const struct process_table *t)
{
    json_t *object = collection_json(c);

    json_object_set_new(object, "serial", json_count(t->head.serial));
    json_object_set_new(object, "time", json_count(t->head.time));
    json_object_set_new(object, "passes", json_count(t->head.passes));
    return object;
}

json_t *process_table_json_last(const struct epoch *e)
{
    struct process_collection *c = xrealloc_array(NULL, 1, sizeof(*c));
    const struct process_table *t;
    json_t *const object = process_table_last(c, e, &t) ? process_table_json(c, t) : json_null();

    free(c);
    return object;
}
