/* SPDX-License-Identifier: MIT */
/* What monitors cost: how much of the window the busiest task loses to them, and how much of it is one record's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/compare/compare.h"

double compare_handler(const struct epoch *e)
{
    const struct snapshot *s = e->snapshot;

    return s->exact && s->end > s->begin ? 100.0 * (double)s->monitor / (double)(s->end - s->begin) : NAN;
}

/* ---- slow-down ---- */

/* The exact time of a row in all modes, as a part of the window, handlers included. */
static double part_of_window(const struct snapshot *s, const struct snapshot_row *row)
{
    double time = 0.0;

    for (unsigned mode = 0; mode < MODES; mode++)
        time += (double)row->time[mode] + (double)row->masked[mode];
    return time / (double)(s->end - s->begin);
}

/* The task with the most time, which computes whenever it can; NULL: there is none. */
static const struct snapshot_row *busiest_row(const struct snapshot *s)
{
    const struct snapshot_row *best = NULL;

    for (uint32_t i = 0; i < s->rows; i++)
        if (s->row[i].id < ROW_IDLE && (!best || part_of_window(s, &s->row[i]) > part_of_window(s, best)))
            best = &s->row[i];
    return best;
}

/* By how much the task of this name has less of the window than `alone` of it. */
static double slow_down(const struct snapshot *s, const char *name, double alone)
{
    for (uint32_t i = 0; snapshot_tau(s) && i < s->rows; i++)
        if (!strcmp(s->row[i].name, name))
            return 100.0 * (1.0 - part_of_window(s, &s->row[i]) / alone);
    return NAN;
}

/* ---- the cost of one record ---- */

static bool records_changes(const struct compare_monitor *m)
{
    return m->kind == COMPARE_LOG || m->kind == COMPARE_EVENTS || m->kind == COMPARE_IDLE;
}

/* Whether what the stream's ticks do not take is this monitor's alone. */
static bool is_only_one(const struct compare *c, const struct compare_monitor *m)
{
    unsigned others = 0;

    for (size_t i = 0; i < c->monitors; i++)
        others += &c->monitor[i] != m && c->monitor[i].from == m->from && records_changes(&c->monitor[i]);
    return records_changes(m) && !others;
}

static double zero_unless_known(double x)
{
    return isnan(x) ? 0.0 : x;
}

/* What the busiest task lost and the ticks did not take, seconds. */
static double lost_to_records(const struct compare *c, const struct compare_monitor *m)
{
    const struct snapshot *s = c->alone.epoch ? c->alone.epoch->snapshot : NULL;
    const struct snapshot_row *task = s ? busiest_row(s) : NULL;
    const double ticks = zero_unless_known(compare_handler(m->from->epoch)) -
                         (s ? zero_unless_known(compare_handler(c->alone.epoch)) : 0.0);

    return task ? (m->slows * part_of_window(s, task) - ticks) / 100.0 * epoch_window_seconds(m->from->epoch) : NAN;
}

static void measure_each(struct compare *c)
{
    for (size_t i = 0; i < c->monitors; i++) {
        struct compare_monitor *m = &c->monitor[i];

        if (m->hardware)
            m->each = 0.0;
        else if (m->kind == COMPARE_SAMPLING && m->records > 0.0)
            m->each = m->handler / 100.0 * epoch_window_seconds(m->from->epoch) / m->records;
        else if (is_only_one(c, m) && m->records > 0.0)
            m->each = lost_to_records(c, m) / m->records;
    }
}

/* hwmon counts the instructions of the window, and knows the time in which there were any. */
static double instruction_of(const struct epoch *e)
{
    static const char name[] = "instructions";
    const struct wire_health_row *const row = record_row_of(epoch_kept(e, WIRE_HEALTH),
                                                            index_key(name, strlen(name)));
    const struct snapshot *s = e->snapshot;
    double busy = (double)(s->end - s->begin), instructions = row ? strtod(row->value.bytes, NULL) : 0.0;

    for (uint32_t i = 0; i < s->rows; i++)
        for (unsigned mode = 0; mode < MODES && s->row[i].id == ROW_IDLE; mode++)
            busy -= (double)s->row[i].time[mode] + (double)s->row[i].masked[mode];
    return instructions > 0.0 && busy > 0.0 ? busy / (double)e->hello.clock_hz / instructions : NAN;
}

static void measure_instruction(struct compare *c)
{
    c->instruction = NAN;
    for (size_t i = 0; i < c->monitors && isnan(c->instruction); i++)
        if (c->monitor[i].hardware)
            c->instruction = instruction_of(c->monitor[i].from->epoch);
}

static void measure_slow_down(struct compare *c)
{
    const struct snapshot *s = c->alone.epoch ? c->alone.epoch->snapshot : NULL;
    const struct snapshot_row *task = s ? busiest_row(s) : NULL;

    for (size_t i = 0; i < c->monitors; i++) {
        struct compare_monitor *m = &c->monitor[i];

        m->slows = !task ? NAN : m->hardware ? 0.0
            : slow_down(m->from->epoch->snapshot, task->name, part_of_window(s, task));
    }
}

void compare_measure_cost(struct compare *c)
{
    measure_slow_down(c);
    measure_each(c);
    measure_instruction(c);
}
