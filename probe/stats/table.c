/* SPDX-License-Identifier: MIT */
/*
 * Computes the figures of the table of Crowe, "CPU Probes", Figure 3, from the
 * counters of a snapshot.  table_print.c prints the lines.
 */
/* Uses vector registers: task context only. */
#include "probe/stats/table.h"

/* squares of the coefficient of variation from here on are of exponential intervals alone */
#define MEMORYLESS     0.9
#define SHARE_OF_TICKS 1e5 /* thousandths of a percent */

static const double not_known = __builtin_nan("");

double table_missed_masked(const struct snapshot *s, const struct table_options *o)
{
    if (!s->excess)
        return 0.0;
    return o->excess_per_tick ? (double)s->excess / (double)o->excess_per_tick : not_known;
}

/* The time of all handlers, clock units; NaN: not known. */
static double handlers_time(const struct snapshot *s, const struct table_options *o)
{
    if (s->exact)
        return (double)s->monitor;
    return o->tick_share ? (double)(s->end - s->begin) * (double)o->tick_share / SHARE_OF_TICKS : not_known;
}

double table_handler_bias(const struct snapshot *s, const struct table_options *o)
{
    double avoided;

    if (!s->points || s->end <= s->begin)
        return not_known;
    if (o->estimator.cv2 >= MEMORYLESS)
        return 0;
    avoided = handlers_time(s, o) / (double)(s->end - s->begin) - (double)s->in_handler / (double)s->points;
    return avoided < 0 ? 0 : 100 * avoided;
}

struct estimator table_estimator(const struct snapshot *s, const struct table_options *o)
{
    const double bias = table_handler_bias(s, o) / 100;
    struct estimator e = o->estimator;

    e.bias = bias > 0 ? bias : 0;
    return e;
}

static bool has_samples(const struct snapshot *s, uint32_t id)
{
    const struct snapshot_row *const row = snapshot_find_row(s, id);

    return row != NULL && row->total != 0;
}

const char *table_late_rows(const struct snapshot *s, bool unmasked)
{
    if (unmasked || (has_samples(s, ROW_STOLEN) && !has_samples(s, ROW_MASKED)))
        return "row STOLEN";
    return has_samples(s, ROW_STOLEN) ? "rows MASKED and STOLEN" : "row MASKED";
}

static const struct table_cell no_cell = {
    0, __builtin_nan(""), __builtin_nan(""), __builtin_nan(""),
    __builtin_nan(""), __builtin_nan(""), __builtin_nan(""),
};

static struct confidence interval_at(const struct snapshot *s, const struct table_options *o,
                                     const struct tally *tally, enum level level)
{
    const struct estimator e = table_estimator(s, o);

    return o->wald ? confidence_wald(tally, level) : confidence_of(&e, tally, level);
}

/* The counts behind a share; `lost`: lost samples that may belong to it. */
struct evidence {
    uint64_t hits, changes, lost;
    bool part; /* a cell, which is part of a total */
};

/*
 * The upper limit counts all lost samples that may belong here as hits: a loss widens
 * only the cells that it may belong to.
 */
static struct table_cell cell_of(const struct snapshot *s, const struct table_options *o,
                                 struct evidence e)
{
    struct table_cell cell = no_cell;
    struct tally tally = {e.hits, s->samples, e.changes};
    struct tally most = {e.hits + e.lost, s->samples, e.changes + e.lost};
    struct confidence i;

    cell.hits = e.hits;
    if (!s->samples)
        return cell;
    cell.percent = 100.0 * (double)e.hits / (double)s->samples;
    if ((o->estimator.reason && !o->wald) || (o->brief && e.part && !o->cells))
        return cell;
    i = interval_at(s, o, &tally, LEVEL_95);
    cell.low = 100.0 * i.low;
    cell.high = 100.0 * (e.lost ? interval_at(s, o, &most, LEVEL_95) : i).high;
    if (o->brief)
        return cell;
    i = interval_at(s, o, &tally, LEVEL_999);
    cell.low999 = 100.0 * i.low;
    cell.high999 = 100.0 * (e.lost ? interval_at(s, o, &most, LEVEL_999) : i).high;
    return cell;
}

double table_percent_of_tau(const struct snapshot *s, double time)
{
    uint64_t tau = snapshot_tau(s);

    return tau ? 100.0 * time / (double)tau : not_known;
}

double table_resolution(const struct snapshot *s, const struct table_options *o)
{
    return o->stub ? table_percent_of_tau(s, (double)s->transitions * (double)o->stub) : not_known;
}

/* The sum of all time that no tick could see. */
static double masked_time(const struct snapshot *s, const struct table_options *o)
{
    double sum = 0.0;

    for (uint32_t r = 0; r < s->rows && !o->unmasked; r++)
        for (unsigned m = 0; m < MODES; m++)
            sum += (double)s->row[r].masked[m];
    return sum;
}

static bool is_task(const struct snapshot_row *row)
{
    return row_has_modes(row->id);
}

/* The part of a cell's time that a tick could see. */
static double seen_time(const struct snapshot_row *row, unsigned mode,
                        const struct table_options *o)
{
    return (double)row->time[mode] + (o->unmasked ? (double)row->masked[mode] : 0.0);
}

static double exact_share(const struct snapshot *s, const struct snapshot_row *row, const struct table_options *o)
{
    double time = 0.0;

    if (!is_task(row))
        return row->id == ROW_MASKED ? table_percent_of_tau(s, masked_time(s, o)) : not_known;
    for (unsigned m = 0; m < MODES; m++)
        time += seen_time(row, m, o);
    return table_percent_of_tau(s, time);
}

double table_error(const struct snapshot *s, const struct snapshot_row *row, const struct table_options *o)
{
    return s->samples ? 100.0 * (double)row->total / (double)s->samples - exact_share(s, row, o) : not_known;
}

struct table_row table_row(const struct snapshot *s, const struct snapshot_row *row,
                           const struct table_options *o)
{
    struct table_row t = {.row = row, .modes = is_task(row)};
    const uint64_t lost = is_task(row) ? snapshot_may_have_lost(s, row) : 0;

    t.total = cell_of(s, o, (struct evidence){row->total, row->total_changes, lost, false});
    for (unsigned m = 0; m < MODES; m++) {
        t.cell[m] = no_cell;
        if (!t.modes)
            continue;
        t.cell[m] = cell_of(s, o, (struct evidence){row->hits[m], row->changes[m], lost, true});
        t.cell[m].exact = table_percent_of_tau(s, seen_time(row, m, o));
    }
    t.total.exact = exact_share(s, row, o);
    return t;
}

struct table_row table_total(const struct snapshot *s, const struct table_options *o)
{
    struct table_row t = {.modes = true};
    uint64_t hits[MODES] = {0}, all = 0;
    double time[MODES] = {0.0}, whole = masked_time(s, o);

    for (uint32_t r = 0; r < s->rows; r++) {
        const struct snapshot_row *row = &s->row[r];

        all += row->total;
        for (unsigned m = 0; m < MODES && is_task(row); m++) {
            hits[m] += row->hits[m];
            time[m] += seen_time(row, m, o);
            whole += seen_time(row, m, o);
        }
    }
    for (unsigned m = 0; m < MODES; m++) {
        t.cell[m] = cell_of(s, o, (struct evidence){hits[m], s->mode_changes[m],
                                                    s->lost_table, true});
        t.cell[m].exact = table_percent_of_tau(s, time[m]);
    }
    t.total = no_cell; /* the whole is not an estimate: it has no interval */
    t.total.hits = all;
    t.total.percent = s->samples ? 100.0 * (double)all / (double)s->samples : not_known;
    t.total.exact = table_percent_of_tau(s, whole);
    return t;
}
