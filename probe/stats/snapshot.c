/* SPDX-License-Identifier: MIT */
/*
 * Finds rows of a snapshot by id, and computes tau, the time of which its shares are
 * parts (docs/ACCOUNTING.md, "What an estimate is compared with").
 */
#include "probe/stats/snapshot.h"

#include <stddef.h>

#include "probe/schedule/memory.h"

const struct snapshot_row *snapshot_find_row(const struct snapshot *s, uint32_t id)
{
    for (uint32_t i = 0; i < s->rows; i++)
        if (s->row[i].id == id)
            return &s->row[i];
    return NULL;
}

const char *snapshot_row_name(const struct snapshot_row *row)
{
    switch (row->id) {
    case ROW_MASKED: return "MASKED";
    case ROW_STOLEN: return "STOLEN";
    case ROW_LOST: return "LOST";
    default: return row->id == ROW_IDLE && row->name[0] == '\0' ? "IDLE" : row->name;
    }
}

struct snapshot_row *snapshot_row(struct snapshot *s, uint32_t id)
{
    struct snapshot_row *row = (struct snapshot_row *)snapshot_find_row(s, id);

    if (row != NULL || s->rows == SNAPSHOT_ROWS)
        return row;
    row = &s->row[s->rows++];
    memset(row, 0, sizeof(*row));
    row->id = id;
    return row;
}

void snapshot_add_record(struct snapshot *s, const struct system_record *r)
{
    struct snapshot_row *row = snapshot_row(s, (uint32_t)r->key);

    if (row == NULL)
        return;
    for (unsigned m = 0; m < MODES; m++) {
        row->hits[m] += r->hits[m];
        row->changes[m] += r->changes[m];
        row->total += r->hits[m];
    }
    row->total_changes += r->total_changes;
}

void snapshot_add_total(struct snapshot *s, uint32_t id, const char *name, const struct system_record *r)
{
    struct snapshot_row *row;

    if (r->hits[MODES] == 0 || (row = snapshot_row(s, id)) == NULL)
        return;
    for (size_t i = 0; i < NAME_SIZE - 1 && name[i] != '\0'; i++)
        row->name[i] = name[i]; /* the rest of a new row is zero */
    row->total = r->hits[MODES];
    row->total_changes = r->total_changes;
}

uint64_t snapshot_may_have_lost(const struct snapshot *s, const struct snapshot_row *row)
{
    return row->total == 0 || row->id == ROW_ENDED ? s->lost_table : 0;
}

size_t snapshot_bytes(const struct snapshot *s)
{
    if (s->regions != 0)
        return offsetof(struct snapshot, region) + s->regions * sizeof s->region[0];
    return offsetof(struct snapshot, row) + s->rows * sizeof s->row[0];
}

uint64_t snapshot_tau(const struct snapshot *s)
{
    uint64_t window = s->end - s->begin;

    /* No run has a window that ends before it begins or is shorter than its monitor time. */
    if (!s->exact || s->end < s->begin || s->monitor > window)
        return 0;
    return window - s->monitor;
}
