/* SPDX-License-Identifier: MIT */
/*
 * Prints the table of Crowe, "CPU Probes", Figure 3, with interrupts as a fourth mode
 * and a valid interval.  table.c computes the figures.
 */
/* Uses vector registers: task context only. */
#include "probe/stats/table.h"

#include <stddef.h>

#include "probe/schedule/memory.h"
#include "probe/stats/masked_durations.h"
#include "probe/stats/tick_cost.h"
#include "probe/text/text_buf.h"

#define SHARES    (MODES + 1)
#define NAME_WIDE (NAME_SIZE - 1)
#define LOW_WIDE  7 /* of the two limits of an interval */
#define HIGH_WIDE 6

static bool known(double x)
{
    return x == x;
}

struct page { /* a table that is being printed */
    const struct snapshot *s;
    const struct table_options *o;
    void (*print)(void *context, const char *text);
    void *context;
    struct text_buf line;
    char text[TEXT_BUF_SIZE];
};

static void end_line(struct page *p)
{
    buf_trim(&p->line);
    p->print(p->context, p->line.text);
    buf_reset(&p->line);
}

static void text_line(struct page *p, const char *text)
{
    buf_text(&p->line, text);
    end_line(p);
}

/* The texts of one share: of a cell, of a heading or of a rule. */
struct share_text {
    char share[FORMAT_DIGITS], low[FORMAT_DIGITS], high[FORMAT_DIGITS];
    char exact[FORMAT_DIGITS], error[FORMAT_DIGITS];
};

struct column { /* in the order of the paper, interrupt added */
    char head[12];
    unsigned width, mode;
};

static const struct column wide[SHARES] = {
    {"Kernel", 8, MODE_KERNEL},       {"Supervisor", 12, MODE_SUPERVISOR},
    {"User", 8, MODE_USER},           {"Interrupt", 11, MODE_INTERRUPT},
    {"Total", 8, MODES},
};

/* With the truth beside the totals, a table still fits a terminal of 80 columns. */
static const struct column narrow[SHARES] = {
    {"Kernel", 7, MODE_KERNEL}, {"Superv.", 8, MODE_SUPERVISOR}, {"User", 7, MODE_USER},
    {"Interr.", 8, MODE_INTERRUPT}, {"Total", 7, MODES},
};

static bool is_narrow(const struct page *p)
{
    return p->o->exact && !p->o->cells && !p->o->wald;
}

static const struct column *columns_of(const struct page *p)
{
    return is_narrow(p) ? narrow : wide;
}

static bool has_intervals(const struct page *p)
{
    return !p->o->estimator.reason && !p->o->wald;
}

/* Align low and high so that the dashes between them are in one column. */
static void put_range(struct page *p, const struct share_text *t)
{
    struct text_buf *l = &p->line;

    if (p->o->wald) {
        buf_right(l, t->low, 8);
        return;
    }
    buf_right(l, t->low, is_narrow(p) ? LOW_WIDE - 1 : LOW_WIDE);
    buf_char(l, t->high[0] ? '-' : ' ');
    buf_left(l, t->high, HIGH_WIDE);
}

static void put_shares(struct page *p, const char *name, const struct share_text t[SHARES])
{
    const struct column *columns = columns_of(p);
    const unsigned truth = is_narrow(p) ? 7 : 8;
    struct text_buf *l = &p->line;

    buf_left(l, name, NAME_WIDE);
    for (unsigned c = 0; c < SHARES; c++) {
        bool total = columns[c].mode == MODES;

        buf_right(l, t[c].share, columns[c].width);
        if (total || p->o->cells)
            put_range(p, &t[c]);
        if (p->o->exact && (total || p->o->cells))
            buf_right(l, t[c].exact, truth);
        if (p->o->exact && total)
            buf_right(l, t[c].error, truth);
    }
    end_line(p);
}

static void print_rule(struct page *p, const char *name, const char *rule)
{
    struct share_text t[SHARES];

    memset(t, 0, sizeof(t));
    for (unsigned c = 0; c < SHARES; c++) {
        memcpy(t[c].share, rule, 6);
        memcpy(t[c].low, rule, 6);
        if (has_intervals(p))
            memcpy(t[c].high, rule, 6);
        memcpy(t[c].exact, rule, 6);
        memcpy(t[c].error, rule, 6);
    }
    put_shares(p, name, t);
}

static void print_columns(struct page *p)
{
    const struct column *columns = columns_of(p);
    struct share_text t[SHARES];

    memset(t, 0, sizeof(t));
    for (unsigned c = 0; c < SHARES; c++) {
        memcpy(t[c].share, columns[c].head, sizeof(columns[c].head));
        memcpy(t[c].low, p->o->wald ? "+-" : "95 %", 5 - 2 * p->o->wald);
        memcpy(t[c].exact, "Exact", 6);
        memcpy(t[c].error, "Error", 6);
    }
    put_shares(p, "Task Name", t);
    print_rule(p, "=========", "=====");
}

/* A share has the digits of the interval beside it ("0.0" beside 0.01-0.10 looks like a fault); 100.0 has no more. */
static unsigned share_digits(const struct table_cell *cell, bool limits)
{
    return limits && known(cell->high) && cell->percent < 99.995 ? 2 : 1;
}

static void format_cell(struct share_text *t, const struct table_cell *cell, bool wald, bool limits)
{
    double half = (cell->high - cell->low) / 2;

    format_real(t->share, cell->percent, share_digits(cell, limits && !wald), "");
    if (wald)
        format_real(t->low, half, 2, "");
    else
        format_real(t->low, cell->low, 2, "");
    if (known(cell->high) && !wald)
        format_real(t->high, cell->high, 2, "");
    format_real(t->exact, cell->exact, 2, "");
    format_real(t->error, cell->percent - cell->exact, 2, "+");
}

static void print_row(struct page *p, const char *name, const struct table_row *row)
{
    const struct column *columns = columns_of(p);
    struct share_text t[SHARES];

    memset(t, 0, sizeof(t));
    for (unsigned c = 0; c < SHARES; c++) {
        if (columns[c].mode == MODES)
            format_cell(&t[c], &row->total, p->o->wald, row->row);
        else if (row->modes)
            format_cell(&t[c], &row->cell[columns[c].mode], p->o->wald, p->o->cells);
    }
    if (!row->row) /* of the row Total: the whole has no interval */
        t[SHARES - 1].low[0] = '\0';
    put_shares(p, name, t);
}

/* Print a row that is not a task if it has samples or, with exact shares, exact time. */
static void print_special(struct page *p, uint32_t id)
{
    const struct snapshot_row *found = snapshot_find_row(p->s, id), none = {.id = id};
    struct table_row row = table_row(p->s, found ? found : &none, p->o);

    if (row.total.hits || (p->o->exact && row.total.exact > 0.0))
        print_row(p, snapshot_row_name(&none), &row);
}

static void print_rows(struct page *p)
{
    struct table_row row;
    uint32_t tasks = 0;

    for (uint32_t r = 0; r < p->s->rows; r++) {
        const struct snapshot_row *from = &p->s->row[r];

        if (p->o->top && from->id < ROW_IDLE && ++tasks > p->o->top)
            continue;
        row = table_row(p->s, from, p->o);
        if (row.modes)
            print_row(p, snapshot_row_name(from), &row);
    }
    if (tasks > p->o->top)
        buf_parts(&p->line, "(", DECIMAL(tasks - p->o->top), " more tasks)");
    if (tasks > p->o->top)
        end_line(p);
    if (!p->o->unmasked)
        print_special(p, ROW_MASKED);
    print_special(p, ROW_STOLEN);
    print_special(p, ROW_LOST);
    print_rule(p, "-----", "-----");
    row = table_total(p->s, p->o);
    print_row(p, "Total", &row);
}

static void print_heading(struct page *p)
{
    const struct snapshot *s = p->s;
    double missed = table_missed_masked(s, p->o) + (double)s->missed_overrun +
                    (double)s->missed_source + (double)s->lost_table + (double)s->lost_ring;

    text_line(p, "Percentage CPU Utilization");
    buf_parts(&p->line, "(", DECIMAL(s->samples), " Samples, ", REAL(missed, 0), " missed)");
    end_line(p);
    if (p->o->wald) {
        text_line(p, "95 % (Wald, as in the paper)");
    } else if (p->o->estimator.reason) {
        buf_text(&p->line, "95 % n.a.: ");
        text_line(p, p->o->estimator.reason);
    }
    text_line(p, "");
}

static void print_exactness(struct page *p)
{
    if (!p->s->exact) {
        buf_parts(&p->line, "MONITOR  n.a.: ", p->o->no_exact ? p->o->no_exact : "account=off");
        end_line(p);
        return;
    }
    buf_parts(&p->line, "MONITOR  ", REAL(100.0 * (double)p->s->monitor / (double)(p->s->end - p->s->begin), 2),
              " % of wall time");
    end_line(p);
    if (!p->o->exact)
        return;
    buf_parts(&p->line, "exact    ", DECIMAL(p->s->transitions), " transitions");
    if (p->o->stub)
        buf_parts(&p->line, ", resolution ", REAL(table_resolution(p->s, p->o), 3), " %");
    end_line(p);
}

static bool has_stolen(const struct page *p)
{
    const struct snapshot_row *stolen = snapshot_find_row(p->s, ROW_STOLEN);

    return stolen && stolen->total;
}

static bool has_masked(const struct page *p)
{
    const struct snapshot_row *masked = snapshot_find_row(p->s, ROW_MASKED);

    return !p->o->unmasked && (!has_stolen(p) || (masked && masked->total));
}

/* Print how long ticks were delayed (probe/stats/masked_durations.h). */
static void print_lengths(struct page *p)
{
    struct masked_durations_row row[SNAPSHOT_BUCKETS];
    const unsigned rows = masked_durations_of(p->s, p->o->clock_hz, row);
    struct text_buf *l = &p->line;

    if (rows != 0)
        text_line(p, has_masked(p) ? "late, us left           ticks   that long, a second" :
                  "STOLEN, us left         ticks   that long, a second");
    for (unsigned i = 0; i < rows; i++) {
        buf_right(l, REAL(row[i].low, 1), 9);
        buf_text(l, " to");
        buf_right(l, REAL(row[i].high, 1), 9);
        buf_right(l, REAL((double)row[i].ticks, 0), 8);
        buf_right(l, REAL(row[i].per_second, 1), 22);
        end_line(p);
    }
}

static void print_cost(struct page *p)
{
    if (!p->o->tick || !p->o->clock_hz)
        return;
    buf_text(&p->line, "tick     ");
    tick_cost_put(&p->line, p->o->tick, p->o->tick_share, p->o->clock_hz);
    text_line(p, " at this rate");
}

/* Where ticks have points none is missed: late ones were counted where they belong. */
static void print_points(struct page *p)
{
    const struct snapshot *s = p->s;
    const double bias = table_handler_bias(s, p->o);
    struct text_buf *l = &p->line;

    if (!s->points) {
        buf_parts(l, "missed   ", REAL(table_missed_masked(s, p->o), 1),
                  !has_masked(p) ? " stolen, " : has_stolen(p) ? " masked or stolen, " : " masked, ",
                  DECIMAL(s->missed_overrun), " overrun, ", DECIMAL(s->missed_source), " source");
    } else {
        buf_parts(l, "points   ", DECIMAL(s->points), ", ", DECIMAL(s->in_handler), " of them in handlers of ticks");
        if (bias >= TABLE_BIAS_TOLD)
            buf_parts(l, has_intervals(p) ? "; intervals have room for " : "; a share may be off by ", REAL(bias, 2));
    }
    end_line(p);
}

static void print_causes(struct page *p)
{
    const struct snapshot *s = p->s;
    struct text_buf *l = &p->line;

    text_line(p, "");
    buf_parts(l, "late     ", DECIMAL(s->late), s->late ? ", in " : "",
              s->late ? table_late_rows(s, p->o->unmasked) : "");
    end_line(p);
    print_points(p);
    buf_parts(l, "lost     ", DECIMAL(s->lost_table), " table, ", DECIMAL(s->lost_ring), " ring");
    end_line(p);
    if (p->o->unmasked || has_stolen(p))
        print_lengths(p);
    print_cost(p);
    print_exactness(p);
}

void table_print(const struct snapshot *s, const struct table_options *o,
                 void (*line)(void *context, const char *text), void *context)
{
    struct table_options brief = *o;
    struct page page;

    brief.brief = true;
    page.s = s;
    page.o = &brief;
    page.print = line;
    page.context = context;
    page.line = (struct text_buf)TEXT_BUF(page.text);
    print_heading(&page);
    print_columns(&page);
    print_rows(&page);
    print_causes(&page);
}

void table_cell_put(struct text_buf *b, const struct table_cell *cell, bool is_known, unsigned width, bool limits)
{
    buf_right(b, is_known ? REAL(cell->percent, share_digits(cell, limits)) : "n.a.", width);
    if (!limits)
        return;
    if (is_known && known(cell->high)) {
        buf_right(b, REAL(cell->low, 2), LOW_WIDE);
        buf_char(b, '-');
        buf_left(b, REAL(cell->high, 2), HIGH_WIDE);
    } else {
        buf_left(b, is_known ? "   n.a." : "", TABLE_LIMITS_WIDE);
    }
}
