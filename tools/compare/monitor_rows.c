/* SPDX-License-Identifier: MIT */
/* The shares that a monitor tells, a row for each task. */
#include "tools/compare/compare.h"

#include <math.h>
#include <string.h>

static uint64_t key_of(const char *name)
{
    return index_key(name, strnlen(name, NAME_SIZE - 1));
}

const struct compare_row *compare_row(const struct compare_monitor *m, const char *name)
{
    const size_t at = index_find(&m->row_of, key_of(name));

    return at != INDEX_NONE ? &m->row[at] : NULL;
}

double compare_mode(const struct compare_monitor *m, enum mode mode)
{
    double sum = 0.0;

    for (size_t i = 0; i < m->rows; i++)
        sum += m->row[i].percent[mode];
    return m->modes ? sum : NAN;
}

/* The busiest row that is a task; NULL: it tells no tasks. */
static const struct compare_row *busiest(const struct compare_monitor *m)
{
    const struct compare_row *best = NULL;

    for (size_t i = 0; m->tasks && i < m->rows; i++)
        if (strcmp(m->row[i].name, "IDLE") != 0 && (!best || m->row[i].total > best->total))
            best = &m->row[i];
    return best;
}

struct compare_row *compare_row_make(struct compare_monitor *m, const char *name)
{
    struct compare_row *row;

    if (m->rows + 1 >= COMPARE_ROWS && !compare_row(m, name))
        name = COMPARE_OTHERS;
    row = INDEX_ROW(&m->row_of, key_of(name), m->row, m->rows, NULL);
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

/*
 * Thurner's Table 1 made tasks: debugging, load, bottleneck, model.  Each is a question that the
 * truth can answer too.
 */

const char *compare_usage_name(enum compare_usage usage)
{
    static const char *const name[] = {"debugging", "load", "bottleneck", "model"};

    return name[usage];
}

const char *compare_usage_task(enum compare_usage usage)
{
    static const char *const task[] = {
        "when did each change happen, in order? (error: s)",
        "how busy was the processor? (error: points)",
        "which task had the most time, and how much? (error: points)",
        "what does each task demand of each mode? (error: mean, points)",
    };

    return task[usage];
}

/* Without a row it has never been idle. */
static double idle_of(const struct compare_monitor *m)
{
    const struct compare_row *row = compare_row(m, "IDLE");

    return row ? row->total : 0.0;
}

static struct compare_answer bottleneck(const struct compare *c, const struct compare_monitor *m)
{
    const struct compare_row *row = busiest(m), *truth = c->truth ? busiest(c->truth) : NULL;

    if (!row || !truth)
        return (struct compare_answer){row != NULL, NAN};
    return (struct compare_answer){!strcmp(row->name, truth->name), fabs(row->total - truth->total)};
}

struct compare_answer compare_answer(const struct compare *c, const struct compare_monitor *m,
                                     enum compare_usage usage)
{
    switch (usage) {
    case USAGE_DEBUGGING: return (struct compare_answer){m->sequence, m->step};
    case USAGE_LOAD: return (struct compare_answer){true, c->truth ? fabs(idle_of(m) - idle_of(c->truth)) : NAN};
    case USAGE_BOTTLENECK: return bottleneck(c, m);
    default: return (struct compare_answer){m->tasks && m->modes, m == c->truth ? 0.0 : m->mean};
    }
}
