/* SPDX-License-Identifier: MIT */
/* The shares that a monitor tells, a row for each task. */
#include <math.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/compare/monitor_compare_parts.h"

const struct compare_row *compare_row(const struct compare_monitor *m, const char *name)
{
    for (size_t i = 0; i < m->rows; i++)
        if (!strcmp(m->row[i].name, name))
            return &m->row[i];
    return NULL;
}

double compare_mode(const struct compare_monitor *m, enum mode mode)
{
    double sum = 0.0;

    for (size_t i = 0; i < m->rows; i++)
        sum += m->row[i].percent[mode];
    return m->modes ? sum : NAN;
}

const struct compare_row *compare_busiest(const struct compare_monitor *m)
{
    const struct compare_row *best = NULL;

    for (size_t i = 0; m->tasks && i < m->rows; i++)
        if (strcmp(m->row[i].name, "IDLE") != 0 && (!best || m->row[i].total > best->total))
            best = &m->row[i];
    return best;
}

struct compare_row *compare_row_make(struct compare_monitor *m, const char *name)
{
    struct compare_row *row = (struct compare_row *)compare_row(m, name);

    if (row)
        return row;
    GROW(m->row, m->rows);
    row = &m->row[m->rows++];
    memset(row, 0, sizeof(*row));
    memcpy(row->name, name, strnlen(name, NAME_SIZE - 1));
    return row;
}

void compare_add_time(struct compare_monitor *m, const char *name, enum mode mode, double time)
{
    struct compare_row *row = compare_row_make(m, name);

    row->total += time;
    row->percent[mode] += time;
}

/* From times to percent of `whole`; no modes where they are not told. */
void compare_make_percent(struct compare_monitor *m, double whole)
{
    for (size_t i = 0; i < m->rows; i++) {
        m->row[i].total *= 100.0 / whole;
        for (unsigned mode = 0; mode < MODES; mode++)
            m->row[i].percent[mode] = m->modes ? m->row[i].percent[mode] * 100.0 / whole : NAN;
    }
}
