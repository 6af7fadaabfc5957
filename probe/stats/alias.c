/* SPDX-License-Identifier: MIT */
/*
 * The alias alarm.  After McCanne and Torek: a clock-driven sampler is wrong about
 * activity that is synchronised with its clock; a second sampler reveals the error.
 */
/* Uses vector registers: task context only. */
#include "probe/stats/alias.h"

#include <stddef.h>

#include "probe/text/text_buf.h"

/* limits[k]: the standard normal |z| exceeds it with probability ALIAS_CHANCE/2^k (test_alias.c). */
static const double limits[] = {
    2.575829, 2.807034, 3.023341, 3.227218, 3.420527, 3.604711, 3.780920, 3.950080, 4.112956,
    4.270183, 4.422299,
};

#define LIMITS (sizeof limits / sizeof limits[0])

static const struct snapshot_row no_row = {.name = ""};

/* The row with this id, or an empty row. */
static const struct snapshot_row *find(const struct snapshot *s, uint32_t id)
{
    const struct snapshot_row *const row = snapshot_find_row(s, id);

    return row != NULL ? row : &no_row;
}

struct walk {
    struct alias *a;
    const struct alias_side *side;
    double off[2]; /* sums over the cells that differ, points */
    void (*each)(struct walk *w, const struct snapshot_row *const row[2], enum mode mode);
};

/* Call `each` for every cell of the task that has enough hits in one of the two snapshots. */
static void walk_row(struct walk *w, uint32_t id)
{
    const struct snapshot_row *const row[2] = {
        find(w->side[0].snapshot, id), find(w->side[1].snapshot, id),
    };

    for (unsigned m = 0; m < MODES; m++)
        if (row[0]->hits[m] >= ALIAS_HITS || row[1]->hits[m] >= ALIAS_HITS)
            w->each(w, row, (enum mode)m);
}

static void walk_cells(struct walk *w, void (*each)(struct walk *w, const struct snapshot_row *const row[2],
                                                    enum mode mode))
{
    const struct snapshot *first = w->side[0].snapshot, *second = w->side[1].snapshot;

    w->each = each;
    for (uint32_t r = 0; r < first->rows; r++)
        if (row_has_modes(first->row[r].id))
            walk_row(w, first->row[r].id);
    for (uint32_t r = 0; r < second->rows; r++)
        if (row_has_modes(second->row[r].id) && find(first, second->row[r].id) == &no_row)
            walk_row(w, second->row[r].id);
}

static void count(struct walk *w, const struct snapshot_row *const row[2], enum mode mode)
{
    (void)row;
    (void)mode;
    w->a->compared++;
}

static double max(double a, double b)
{
    return a > b ? a : b;
}

static double share(const struct tally *t)
{
    return t->samples ? (double)t->hits / (double)t->samples : 0;
}

/*
 * The variance of a share by the design of the run; where the design gives none, that of independent samples.  The
 * share is this or `null`, whichever varies more: by few hits of its own a share would hardly vary.
 */
static double variance(const struct estimator *e, const struct tally *t, double null)
{
    const double p = share(t), independent = max(p * (1 - p), null * (1 - null)) / (double)t->samples;

    return e->reason != NULL ? independent : independent * confidence_deff(e, t);
}

static struct tally tally(const struct alias_side *side, const struct snapshot_row *row, enum mode mode)
{
    return (struct tally){row->hits[mode], side->snapshot->samples, row->changes[mode]};
}

/* The exact share in percent of tau; NaN if it was not measured. */
static double truth(const struct alias_side *side, const struct snapshot_row *row, enum mode mode)
{
    if (row == &no_row)
        return __builtin_nan("");
    return table_row(side->snapshot, row, side->options).cell[mode].exact;
}

/* By how much points in handlers may move a share of a side. */
static double moved(const struct alias_side *side)
{
    return table_estimator(side->snapshot, side->options).bias;
}

/* Insert the cell by |z|, the largest first; the smallest is dropped when the list is full. */
static void keep(struct alias *a, const struct alias_cell *cell)
{
    unsigned place = a->cells < ALIAS_KEPT ? a->cells++ : ALIAS_KEPT;

    for (; place > 0 && __builtin_fabs(a->cell[place - 1].z) < __builtin_fabs(cell->z); place--)
        if (place < ALIAS_KEPT)
            a->cell[place] = a->cell[place - 1];
    if (place < ALIAS_KEPT)
        a->cell[place] = *cell;
}

/* Compare a side's share of a differing cell with the exact share, within the exact table's resolution. */
static void judge(struct walk *w, const struct alias_cell *cell, unsigned i, double spread)
{
    const double off = __builtin_fabs(cell->percent[i] - cell->exact[i]);
    const double resolution = table_resolution(w->side[i].snapshot, w->side[i].options);
    const double chance = w->a->limit * confidence_root(spread);
    const double room = 100 * (chance + moved(&w->side[i])) + (resolution == resolution ? resolution : 0);

    w->off[i] += off;
    w->a->wrong[i] |= off >= ALIAS_POINTS && off >= room;
}

static void compare(struct walk *w, const struct snapshot_row *const row[2], enum mode mode)
{
    struct alias *a = w->a;
    struct alias_cell cell = {.row = row[0] != &no_row ? row[0] : row[1], .mode = mode};
    struct tally t[2];
    double spread = 0, apart, null, size;

    for (unsigned i = 0; i < 2; i++)
        t[i] = tally(&w->side[i], row[i], mode);
    null = ((double)t[0].hits + (double)t[1].hits) / ((double)t[0].samples + (double)t[1].samples);
    for (unsigned i = 0; i < 2; i++) {
        cell.percent[i] = 100 * share(&t[i]);
        spread += variance(&w->side[i].options->estimator, &t[i], null);
    }
    if (spread <= 0) /* all samples of both sides are in this cell */
        return;
    apart = share(&t[0]) - share(&t[1]);
    size = max(__builtin_fabs(apart) - moved(&w->side[0]) - moved(&w->side[1]), 0) / confidence_root(spread);
    cell.z = apart < 0 ? -size : size;
    if (size > a->most)
        a->most = size;
    if (size < a->limit || __builtin_fabs(cell.percent[0] - cell.percent[1]) < ALIAS_POINTS)
        return;
    a->differ++;
    for (unsigned i = 0; i < 2; i++) {
        cell.exact[i] = truth(&w->side[i], row[i], mode);
        if (cell.exact[i] == cell.exact[i])
            judge(w, &cell, i, variance(&w->side[i].options->estimator, &t[i], cell.exact[i] / 100));
    }
    keep(a, &cell);
}

static bool is_measured(const struct alias_side *side)
{
    return snapshot_tau(side[0].snapshot) != 0 && snapshot_tau(side[1].snapshot) != 0;
}

/*
 * Decide which side is wrong.  With an exact table: the side that is off by more than its
 * design allows, else the one that is further off.  Without: the side that has no interval.
 */
static void blame(struct walk *w)
{
    struct alias *a = w->a;

    a->measured = is_measured(w->side);
    if (a->measured && (a->wrong[0] || a->wrong[1]))
        return;
    for (unsigned i = 0; i < 2; i++)
        a->wrong[i] = a->measured ? w->off[i] > w->off[!i]
                                  : w->side[i].options->estimator.reason != NULL &&
                                        w->side[!i].options->estimator.reason == NULL;
}

void alias_compare(struct alias *a, const struct alias_side *side)
{
    struct walk w = {.a = a, .side = side};
    unsigned power = 0;

    *a = (struct alias){.compared = 0};
    if (side[0].snapshot->samples == 0 || side[1].snapshot->samples == 0)
        return;
    walk_cells(&w, count);
    while (power + 1 < LIMITS && 1u << power < a->compared)
        power++;
    a->limit = limits[power];
    walk_cells(&w, compare);
    if (a->differ != 0)
        blame(&w);
}

/* ---- the text ---- */

static void end(struct text_buf *l, void (*print)(void *context, const char *text), void *context)
{
    print(context, l->text);
    buf_reset(l);
}

static void put_cell(struct text_buf *l, const struct alias_cell *c, const struct alias_side *side)
{
    buf_parts(l, "         ", c->row->name, " ", mode_name(c->mode));
    for (unsigned i = 0; i < 2; i++) {
        buf_parts(l, i == 0 ? ": " : ", ", side[i].source, " ", REAL(c->percent[i], 2));
        if (c->exact[i] == c->exact[i])
            buf_parts(l, " of ", REAL(c->exact[i], 2));
        buf_text(l, " %");
    }
    buf_parts(l, ", z ", REAL(c->z, 2));
}

static void put_verdict(struct text_buf *l, const struct alias *a, const struct alias_side *side)
{
    const bool both = a->wrong[0] && a->wrong[1];

    buf_parts(l, "wrong    ", a->wrong[0] ? side[0].source : "", both ? " and " : "",
              a->wrong[1] ? side[1].source : "");
    if (a->measured)
        buf_text(l, ", by the exact table");
    else if (a->wrong[0] || a->wrong[1])
        buf_text(l, ": its interval does not vary (a judgement, for there is no exact table)");
    else
        buf_text(l, "one of them: there is no exact table to tell which");
}

static void put_summary(struct text_buf *l, const struct alias *a, const struct alias_side *side)
{
    const bool alarm = a->differ != 0;

    buf_parts(l, alarm ? "ALIAS    " : "alias    none: ", side[0].source, " and ", side[1].source,
              alarm ? " differ in " : " agree in all ", alarm ? DECIMAL(a->differ) : "", alarm ? " of " : "",
              DECIMAL(a->compared), a->compared == 1 ? " cell" : " cells", " (largest |z| ", REAL(a->most, 2),
              ", limit ", REAL(a->limit, 2), ")");
}

void alias_print(const struct alias *a, const struct alias_side *side,
                 void (*line)(void *context, const char *text), void *context)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf l = TEXT_BUF(text);

    put_summary(&l, a, side);
    end(&l, line, context);
    for (unsigned i = 0; i < a->cells; i++) {
        put_cell(&l, &a->cell[i], side);
        end(&l, line, context);
    }
    if (a->differ == 0)
        return;
    put_verdict(&l, a, side);
    end(&l, line, context);
}
