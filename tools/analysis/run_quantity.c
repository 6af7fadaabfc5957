/* SPDX-License-Identifier: MIT */
/* Takes a quantity from the figures of the table, so that it is the number that `stat` prints. */

#include "tools/analysis/run_quantity.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "probe/core/mode.h"
#include "tools/analysis/report.h"

struct source {
    const struct snapshot *s;
    struct table_options options;
    bool exact;
};

static struct run_quantity of_cell(const struct source *from, const struct table_cell *cell)
{
    return from->exact ? (struct run_quantity){cell->exact, NAN, NAN}
                       : (struct run_quantity){cell->percent, cell->low, cell->high};
}

/* A count has no limits. */
static struct run_quantity of_count(double part, double whole)
{
    return (struct run_quantity){whole > 0.0 ? 100.0 * part / whole : NAN, NAN, NAN};
}

/* ---- rows ---- */

static bool is_mode(const char *text, enum mode *mode)
{
    for (unsigned m = 0; m < MODES; m++)
        if (!strcmp(text, mode_name(m))) {
            *mode = m;
            return true;
        }
    return false;
}

/* A name may hold a colon: what follows the last one is a mode or part of the name. */
static size_t split(const char *name, enum mode *mode)
{
    const char *colon = strrchr(name, ':');

    return colon && is_mode(colon + 1, mode) ? (size_t)(colon - name) : strlen(name);
}

static bool row_is(const struct snapshot_row *row, const char *name, size_t length, bool as_capitals)
{
    if (strlen(row->name) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (row->name[i] != (as_capitals ? toupper((unsigned char)name[i]) : name[i]))
            return false;
    return true;
}

static const struct snapshot_row *find_row(const struct snapshot *s, const char *name, size_t length)
{
    for (unsigned capitals = 0; capitals < 2; capitals++)
        for (uint32_t i = 0; i < s->rows; i++)
            if (row_is(&s->row[i], name, length, capitals))
                return &s->row[i];
    return NULL;
}

/* The table has row MASKED only where a tick was late. */
static bool is_absent_row(const char *name, size_t length, struct snapshot_row *to)
{
    static const struct snapshot_row absent[] = {
        {.id = ROW_MASKED, .name = "MASKED"}, {.id = ROW_STOLEN, .name = "STOLEN"}, {.id = ROW_LOST, .name = "LOST"}};

    for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
        if (row_is(&absent[i], name, length, true)) {
            *to = absent[i];
            return true;
        }
    return false;
}

static enum quantity_found of_row(const struct source *from, const char *name, struct run_quantity *to)
{
    enum mode mode = MODES;
    const size_t length = split(name, &mode);
    const struct snapshot_row *row = find_row(from->s, name, length);
    struct snapshot_row none = {0};
    const bool known = row || is_absent_row(name, length, &none);
    const struct table_row figures = table_row(from->s, row ? row : &none, &from->options);

    if (mode != MODES && !figures.modes)
        return QUANTITY_UNKNOWN;
    *to = of_cell(from, mode == MODES ? &figures.total : &figures.cell[mode]);
    return known ? QUANTITY_FOUND : QUANTITY_NO_ROW;
}

/* ---- the run ---- */

static struct run_quantity busy(const struct source *from)
{
    struct run_quantity idle;

    if (of_row(from, "IDLE", &idle) == QUANTITY_UNKNOWN)
        return (struct run_quantity){NAN, NAN, NAN};
    return (struct run_quantity){100.0 - idle.percent, 100.0 - idle.high, 100.0 - idle.low};
}

static struct run_quantity late(const struct source *from)
{
    return of_count((double)from->s->late, (double)from->s->samples);
}

static struct run_quantity missed(const struct source *from)
{
    const struct snapshot *s = from->s;
    const double unseen =
        (double)s->missed_overrun + (double)s->missed_source + table_missed_masked(s, &from->options);

    return of_count(unseen, unseen + (double)s->ticks);
}

static struct run_quantity lost(const struct source *from)
{
    return of_count((double)from->s->lost_table + (double)from->s->lost_ring, (double)from->s->samples);
}

static struct run_quantity monitor(const struct source *from)
{
    const struct snapshot *s = from->s;

    return of_count(s->exact ? (double)s->monitor : NAN, (double)(s->end - s->begin));
}

static const struct {
    const char *name;
    struct run_quantity (*of)(const struct source *from);
} of_run[] = {{"busy", busy}, {"late", late}, {"missed", missed}, {"lost", lost}, {"monitor", monitor}};

enum quantity_found run_quantity(const struct epoch *e, const char *name, bool exact, struct run_quantity *to)
{
    const struct source from = {e->snapshot, report_options(e), exact};
    enum mode mode;

    *to = (struct run_quantity){NAN, NAN, NAN};
    if (is_mode(name, &mode)) {
        const struct table_row total = table_total(from.s, &from.options);

        *to = of_cell(&from, &total.cell[mode]);
        return QUANTITY_FOUND;
    }
    for (size_t i = 0; i < sizeof(of_run) / sizeof(of_run[0]); i++)
        if (!strcmp(name, of_run[i].name)) {
            *to = of_run[i].of(&from);
            return QUANTITY_FOUND;
        }
    return of_row(&from, name, to);
}
