/* SPDX-License-Identifier: MIT */
/* Readings of the table of processes. */
#include "tools/analysis/monitor_diff.h"

#include <string.h>

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

const struct wire_proctable *process_table_last(struct process_collection *c, const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_PROCTABLE);
    bool room;

    memset(c, 0, sizeof(*c));
    for (size_t i = s->head.count; i > 0; i--)
        if (process_table_collect(c, e, i - 1, &room))
            return room ? record_head(s, i - 1) : NULL;
    return NULL;
}
