/* SPDX-License-Identifier: MIT */
/* Subtracts two snapshots, counter by counter. */
#include "probe/stats/snapshot_difference.h"

#include <stddef.h>

#include "probe/schedule/memory.h"

/* False if one of `n` counters went down. */
static bool subtract(uint64_t *from, const uint64_t *before, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (from[i] < before[i])
            return false;
        from[i] -= before[i];
    }
    return true;
}

#define SUBTRACT(member) subtract(&to->member, &before->member, 1)
#define SUBTRACT_ALL(member) subtract(to->member, before->member, sizeof to->member / sizeof *to->member)

/* All counters or none. */
static bool subtract_row(struct snapshot_row *from, const struct snapshot_row *before)
{
    struct snapshot_row row = *from, *const to = &row;

    if (!SUBTRACT_ALL(hits) || !SUBTRACT_ALL(changes) || !SUBTRACT(total) || !SUBTRACT(total_changes) ||
        !SUBTRACT_ALL(time) || !SUBTRACT_ALL(masked))
        return false;
    *from = row;
    return true;
}

static struct snapshot_row *row_of(struct snapshot *s, uint32_t id)
{
    return (struct snapshot_row *)snapshot_find_row(s, id);
}

/*
 * Where a task ended in between, its row has gone, or is that of a new task and began anew: what it
 * had counted before is in row ENDED now.
 */
static void subtract_rows(struct snapshot *to, const struct snapshot *before)
{
    struct snapshot_row *const ended = row_of(to, ROW_ENDED);

    for (uint32_t r = 0; r < before->rows; r++) {
        struct snapshot_row *row = row_of(to, before->row[r].id);

        if ((!row || !subtract_row(row, &before->row[r])) && ended)
            subtract_row(ended, &before->row[r]);
    }
}

static bool is_same_region(const struct snapshot_region *a, const struct snapshot_region *b)
{
    return a->task == b->task && a->mode == b->mode && a->low == b->low && a->high == b->high &&
           a->base == b->base && a->shift == b->shift;
}

static bool subtract_region(struct snapshot_region *to, const struct snapshot_region *before)
{
    return is_same_region(to, before) && SUBTRACT(below) && SUBTRACT(above) && SUBTRACT(active) &&
           SUBTRACT(changes_below) && SUBTRACT(changes_above) && SUBTRACT(changes_active) &&
           SUBTRACT_ALL(hits) && SUBTRACT_ALL(changes);
}

static bool subtract_counters(struct snapshot *to, const struct snapshot *before)
{
    return SUBTRACT(ticks) && SUBTRACT(samples) && SUBTRACT(late) && SUBTRACT(excess) &&
           SUBTRACT(missed_overrun) && SUBTRACT(missed_source) && SUBTRACT(lost_table) &&
           SUBTRACT(lost_ring) && SUBTRACT(lateness) && SUBTRACT_ALL(bucket) && SUBTRACT(monitor) &&
           SUBTRACT(transitions) && SUBTRACT(intervals) && SUBTRACT_ALL(mode_changes) &&
           SUBTRACT(points) && SUBTRACT(in_handler) && SUBTRACT(arrivals);
}

bool snapshot_difference(struct snapshot *to, const struct snapshot *later, const struct snapshot *before)
{
    memcpy(to, later, snapshot_bytes(later));
    if (later->begin != before->begin || later->end <= before->end || later->regions != before->regions ||
        !subtract_counters(to, before))
        return false;
    to->begin = to->first = before->end;
    subtract_rows(to, before);
    for (uint32_t r = 0; r < to->regions; r++)
        if (!subtract_region(&to->region[r], &before->region[r]))
            return false;
    return true;
}
