/* SPDX-License-Identifier: MIT */
/* Sorts the rows of a snapshot by a key, which is made once for each row. */
/* Uses vector registers: task context only. */
#include "probe/stats/table_sort.h"

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
