/* SPDX-License-Identifier: MIT */
/* Readings of the table of processes. */
#include "tools/analysis/process_tables.h"

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

bool process_table_collect(struct process_collection *c, const struct epoch *e, const struct process_table *t)
{
    bool room = true;

    process_collection_begin(c);
    for (size_t i = 0; i < t->rows && room; i++) {
        const struct process_entry entry = entry_of(e, &e->load.process[t->first + i]);

        room = process_collection_add(c, &entry);
    }
    process_collection_end(c);
    return room;
}

bool process_table_last(struct process_collection *c, const struct epoch *e, const struct process_table **t)
{
    memset(c, 0, sizeof(*c));
    for (size_t i = e->load.tables; i > 0; i--)
        if (process_table_is_whole(&e->load.table[i - 1])) {
            *t = &e->load.table[i - 1];
            return process_table_collect(c, e, *t);
        }
    return false;
}
