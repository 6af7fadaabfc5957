/* SPDX-License-Identifier: MIT */
/* Sorts the rows of a snapshot by a key, which is made once for each row. */
/* Uses vector registers: task context only. */
#include "probe/stats/table_sort.h"

#include <stddef.h>

#include "probe/schedule/memory.h"

static const char *const names[TABLE_ORDERS] = {
    [TABLE_BY_NAME] = "name",     [TABLE_BY_TOTAL] = "total", [TABLE_BY_USER] = "user",
    [TABLE_BY_KERNEL] = "kernel", [TABLE_BY_ERROR] = "error",
};

const char *table_order_name(enum table_order order)
{
    return names[order];
}

bool table_order_named(enum table_order *to, struct span name)
{
    for (unsigned i = 0; i < TABLE_ORDERS; i++)
        if (span_is(name, names[i])) {
            *to = (enum table_order)i;
            return true;
        }
    return false;
}

/* Negative, zero or positive if a is before, equal to or after b by name. */
static int by_name(const struct snapshot_row *a, const struct snapshot_row *b)
{
    bool a_last = a->id >= ROW_IDLE, b_last = b->id >= ROW_IDLE;

    if (a_last != b_last)
        return a_last - b_last;
    for (unsigned i = 0; !a_last && i < NAME_SIZE; i++)
        if (a->name[i] != b->name[i])
            return (unsigned char)a->name[i] - (unsigned char)b->name[i];
    return (a->id > b->id) - (a->id < b->id);
}

/* Larger comes first; samples stay below 2^53, so that a double holds them. */
static double key_of(const struct snapshot *s, const struct snapshot_row *row, enum table_order order,
                     const struct table_options *o)
{
    double error;

    switch (order) {
    case TABLE_BY_TOTAL: return (double)row->total;
    case TABLE_BY_USER: return (double)row->hits[MODE_USER];
    case TABLE_BY_KERNEL: return (double)row->hits[MODE_KERNEL];
    case TABLE_BY_ERROR:
        error = table_error(s, row, o);
        return error != error ? -1.0 : error < 0.0 ? -error : error;
    case TABLE_BY_NAME:
    case TABLE_ORDERS: break;
    }
    return 0.0;
}

static bool is_before(const struct snapshot_row *a, double a_key, const struct snapshot_row *b, double b_key)
{
    if (a->id < ROW_IDLE && b->id < ROW_IDLE && a_key != b_key)
        return a_key > b_key;
    return by_name(a, b) < 0;
}

void table_sort_by(struct snapshot *s, enum table_order order, const struct table_options *o)
{
    double key[SNAPSHOT_ROWS];

    for (uint32_t i = 0; i < s->rows; i++) {
        const struct snapshot_row row = s->row[i];
        const double of_row = key_of(s, &row, order, o);
        uint32_t place = i;

        for (; place && is_before(&row, of_row, &s->row[place - 1], key[place - 1]); place--) {
            s->row[place] = s->row[place - 1];
            key[place] = key[place - 1];
        }
        s->row[place] = row;
        key[place] = of_row;
    }
}

void table_sort(struct snapshot *s)
{
    table_sort_by(s, TABLE_BY_NAME, 0);
}

/* Subtracts two snapshots, counter by counter. */

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
