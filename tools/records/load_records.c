/* SPDX-License-Identifier: MIT */
/* The records of the load meters. */
#include "tools/records/load_records.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "probe/stats/process_entry.h"
#include "tools/base/alloc.h"
#include "tools/records/record_roles.h"

/* ---- the task at idle priority ---- */

static bool is_possible_count(const struct wire_idletask_row *r)
{
    return r->task && r->id <= UINT32_MAX && r->begin <= r->end && r->calibrated && r->took;
}

static void add_reading(struct load_records *l, const struct idle_task_reading *reading, struct violations **v)
{
    const struct wire_idletask_row *const row = &reading->row;
    const size_t last = index_find(&l->last_of, row->task);

    if (!is_possible_count(row) || l->idle_tasks - l->idle_last == IDLE_TASKS ||
        (last != INDEX_NONE && last >= l->idle_last)) {
        violation_note(v, VIOLATION_VALUE, "IDLETASK, task %" PRIu64, row->task);
        return;
    }
    if (last != INDEX_NONE && !row_follows(WIRE_IDLETASK, row, &l->idle_task[last].row)) {
        violation_note(v, VIOLATION_BACKWARD, "IDLETASK, task %" PRIu64, row->task);
        return;
    }
    index_put(&l->last_of, row->task, l->idle_tasks);
    GROW(l->idle_task, l->idle_tasks);
    l->idle_task[l->idle_tasks++] = *reading;
}

size_t load_add_idle_task(struct load_records *l, const struct wire_idletask *head, struct wire_reader *rows,
                          struct violations **v)
{
    const size_t before = l->idle_tasks;
    struct idle_task_reading reading = {.serial = head->serial};

    if (!head->serial || (before && head->serial < l->idle_task[before - 1].serial)) {
        violation_note(v, VIOLATION_VALUE, "IDLETASK of snapshot %" PRIu64, head->serial);
        return 0;
    }
    if (before && head->serial != l->idle_task[before - 1].serial)
        l->idle_last = before;
    while (wire_read_row(rows, &reading.row))
        add_reading(l, &reading, v);
    return (l->idle_tasks - before) * (sizeof(*l->idle_task) + INDEX_BYTES);
}

/* ---- performance counters ---- */

static bool is_possible_perf(const struct wire_perfcall *p)
{
    return p->serial && p->begin <= p->end && p->time == p->end - p->begin && p->idle <= p->time && p->busy <= p->time - p->idle &&
           p->interrupt == p->time - p->idle - p->busy;
}

size_t load_add_perf_call(struct load_records *l, const struct wire_perfcall *from, struct violations **v)
{
    if (!is_possible_perf(from)) {
        violation_note(v, VIOLATION_VALUE, "PERFCALL of snapshot %" PRIu64, from->serial);
        return 0;
    }
    if (l->perfs && !head_follows(WIRE_PERFCALL, from, &l->perf[l->perfs - 1])) {
        violation_note(v, VIOLATION_BACKWARD, "PERFCALL of snapshot %" PRIu64, from->serial);
        return 0;
    }
    GROW(l->perf, l->perfs);
    l->perf[l->perfs++] = *from;
    return sizeof(*from);
}

/* ---- the table of processes ---- */

static bool is_possible_process(const struct wire_proctable_row *r, const struct wire_proctable *head)
{
    const int64_t priority = wire_unzigzag(r->priority);

    return r->task && r->id <= UINT32_MAX && priority >= -1 && priority <= 1 && r->state <= PROCESS_SLEEPING &&
           r->flags <= PROCESS_OWNS_SYSTEM && r->user <= head->passes && r->system <= head->passes - r->user;
}

/* The table that the frame is of, which may be one that began; NULL: it contradicts the one before. */
static struct process_table *table_of(struct load_records *l, const struct wire_proctable *head)
{
    struct process_table *last = l->tables ? &l->table[l->tables - 1] : NULL;

    if (!head->serial || (last && !head_follows(WIRE_PROCTABLE, head, &last->head)))
        return NULL;
    if (last && last->head.serial == head->serial)
        return memcmp(&last->head, head, sizeof(*head)) == 0 ? last : NULL;
    GROW(l->table, l->tables);
    l->table[l->tables] = (struct process_table){*head, l->processes, 0};
    return &l->table[l->tables++];
}

size_t load_add_process_table(struct load_records *l, const struct wire_proctable *head, struct wire_reader *rows,
                              struct violations **v)
{
    const size_t before = l->processes, tables = l->tables;
    struct process_table *const table = table_of(l, head);
    struct wire_proctable_row row;

    if (!table) {
        violation_note(v, VIOLATION_BACKWARD, "PROCTABLE of snapshot %" PRIu64, head->serial);
        return 0;
    }
    while (wire_read_row(rows, &row)) {
        if (!is_possible_process(&row, head) || table->rows == head->tasks) {
            violation_note(v, VIOLATION_VALUE, "PROCTABLE, task %" PRIu64, row.task);
            continue;
        }
        GROW(l->process, l->processes);
        l->process[l->processes++] = row;
        table->rows++;
    }
    return (l->processes - before) * sizeof(row) + (l->tables - tables) * sizeof(*table);
}

void load_records_free(struct load_records *l)
{
    free(l->idle_task);
    index_free(&l->last_of);
    free(l->perf);
    free(l->table);
    free(l->process);
    memset(l, 0, sizeof(*l));
}
