/* SPDX-License-Identifier: MIT */
/* Makes a list a row, with a value for each step. */
#include "tools/json/load_json.h"

#include <math.h>

#include "tools/base/json_value.h"

static const char *const load_sources[] = {"states", "snapshots", "acct", "ranges", NULL};

#define LOAD_ROW_MEMBERS(M, O)                                                      \
    M(TEXT, name, "its name; null: that is no UTF-8")                               \
    M(REALS, percent, "the same of this row alone, percent")
REPORT_OBJECT(load_row, LOAD_ROW_MEMBERS)

#define LOAD_MEMBERS(M, O)                                                          \
    O(WORD, source, load_sources, "what the shares come from: states (events or the log of changes), " \
                                  "snapshots, acct (the account log), ranges (the same by user event)") \
    M(REAL, from, "where the first step begins, seconds since the image started")   \
    M(REAL, to, "where the last step ends, seconds since the image started")        \
    M(REAL, step, "length of a step, s")                                            \
    M(COUNT, steps, "how many steps: the length of each list below")                \
    M(REALS, load, "of each step the part of its known time in which a task ran, percent; null where nothing " \
                   "is known") \
    O(LIST, rows, load_row, "the tasks, or with ranges the user events, with the longest time, the longest first") \
    M(REALS, others, "the same of all tasks without a row, percent")
REPORT_WHOLE(load, "cpuprobe-load-1", LOAD_MEMBERS)

/* In percent; null where nothing is known of the step. */
static json_t *percent(double load)
{
    return json_finite(load < 0.0 ? NAN : 100.0 * load);
}

static json_t *steps(const struct load_chart *c, double (*of)(const struct load_chart *c, unsigned column))
{
    json_t *list = json_array();

    for (unsigned i = 0; i < c->grid->columns; i++)
        json_array_append_new(list, percent(of(c, i)));
    return list;
}

static json_t *row(const struct load_chart *c, size_t r)
{
    json_t *list = json_array();

    for (unsigned i = 0; i < c->grid->columns; i++)
        json_array_append_new(list, percent(load_of_row(c, r, i)));
    return REPORT_MAKE(load_row, c->name[r], list);
}

void load_json(const struct load_chart *c, const char *source)
{
    const double from = (double)c->grid->from / c->hz, to = (double)c->grid->to / c->hz;
    json_t *rows = json_array();

    for (size_t r = 0; r < c->rows; r++)
        json_array_append_new(rows, row(c, r));
    json_print(REPORT_MAKE(load, .source = source, .from = from, .to = to, .step = (to - from) / c->grid->columns,
                           .steps = c->grid->columns, .load = steps(c, load_of_column), .rows = rows,
                           .others = steps(c, load_of_others)),
               JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}
