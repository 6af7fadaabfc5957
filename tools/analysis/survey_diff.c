/* SPDX-License-Identifier: MIT */
/* Values of stolen time have intervals of 95 %, rates of clocks certain ones; costs are ranks of measured values. */
#include "tools/analysis/survey_diff.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const uint64_t survey_loops[SURVEY_LOOPS] = {10, 50, 100, 1000};

static struct survey_value exactly(double value)
{
    return (struct survey_value){.known = true, .value = value};
}

static struct survey_value share(struct survey_share s, double scale)
{
    return (struct survey_value){true, true, scale * s.value, scale * s.low, scale * s.high};
}

static struct survey_value between(struct clock_rate r)
{
    return (struct survey_value){r.high != 0 || r.low != 0, true, (r.low + r.high) / 2, r.low, r.high};
}

/* One of the name is there already, or is made; NULL: there are too many. */
static struct survey_diff_row *row_named(struct survey_diff *d, const char *format,
                                         ...) __attribute__((format(printf, 2, 3)));

static struct survey_diff_row *row_named(struct survey_diff *d, const char *format, ...)
{
    char name[sizeof(d->row[0].name)];
    va_list of;

    va_start(of, format);
    vsnprintf(name, sizeof(name), format, of);
    va_end(of);
    for (unsigned i = 0; i < d->rows; i++)
        if (!strcmp(d->row[i].name, name))
            return &d->row[i];
    if (d->rows == SURVEY_DIFF_ROWS)
        return NULL;
    d->row[d->rows] = (struct survey_diff_row){.differ = false};
    memcpy(d->row[d->rows].name, name, sizeof(name));
    return &d->row[d->rows++];
}

static void put(struct survey_diff_row *row, unsigned side, struct survey_value value)
{
    if (row && value.known)
        row->of[side] = value;
}

static void add_stolen(struct survey_diff *d, unsigned side, const struct survey *s)
{
    put(row_named(d, "stolen, %% of time"), side, share(survey_stolen(s), 100));
    for (size_t i = 0; i < SURVEY_LOOPS; i++)
        put(row_named(d, "gaps from %" PRIu64 " us, a second", survey_loops[i]), side,
            share(survey_longer(s, survey_loops[i]), 1));
    put(row_named(d, "longest gap, us"), side, exactly(survey_us(s, (double)s->head.greatest)));
    if (s->head.period)
        put(row_named(d, "period, s"), side, exactly(survey_seconds(s, (double)s->head.period)));
    if (s->head.smi_known)
        put(row_named(d, "SMIs"), side, exactly((double)s->head.smis));
}

static void add_clocks(struct survey_diff *d, unsigned side, const struct survey *s)
{
    for (unsigned i = 0; i < s->clocks; i++)
        for (unsigned j = 0; j < i; j++) {
            const struct clock_rate apart = survey_clocks_apart(s, i, j);

            if (apart.low != 0 || apart.high != 0)
                put(row_named(d, "%.16s against %.16s, ppm", s->clock[i].name.bytes, s->clock[j].name.bytes), side,
                    between(apart));
        }
}

static void add_times(struct survey_diff *d, unsigned side, const struct survey *s)
{
    for (unsigned i = 0; i < s->times; i++) {
        const struct wire_survey_times_row *t = &s->time[i];

        if (!t->count)
            continue;
        put(row_named(d, "%.24s, us: median", t->name.bytes), side, exactly(survey_us(s, (double)t->median)));
        put(row_named(d, "%.24s, us: 99.9 %%", t->name.bytes), side, exactly(survey_us(s, (double)t->most)));
        put(row_named(d, "%.24s, us: worst", t->name.bytes), side, exactly(survey_us(s, (double)t->worst)));
    }
}

static bool are_apart(const struct survey_value *a, const struct survey_value *b)
{
    return a->known && b->known && a->interval && b->interval && (a->high < b->low || b->high < a->low);
}

void survey_diff_make(struct survey_diff *d, const struct survey *a, const struct survey *b)
{
    const struct survey *const side[] = {a, b};

    d->rows = 0;
    for (unsigned i = 0; i < 2; i++)
        add_stolen(d, i, side[i]);
    for (unsigned i = 0; i < 2; i++)
        add_clocks(d, i, side[i]);
    for (unsigned i = 0; i < 2; i++)
        add_times(d, i, side[i]);
    for (unsigned i = 0; i < d->rows; i++)
        d->row[i].differ = are_apart(&d->row[i].of[0], &d->row[i].of[1]);
}
