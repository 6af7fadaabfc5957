/* SPDX-License-Identifier: MIT */
/* Says in one sentence what a table means, and no more than its intervals bear. */
/* Uses vector registers: task context only. */
#include "probe/stats/verdict.h"

#include "probe/schedule/memory.h"
#include "probe/text/text_buf.h"

#define BESIDE_TOLD 5.0 /* percent in a row that is no task's */

bool verdict_is_work(const struct snapshot_row *row)
{
    return row->id < ROW_IDLE && memcmp(row->name, "PROBE", sizeof "PROBE") != 0 && row->total != 0;
}

const struct snapshot_row *verdict_lead(const struct snapshot *s)
{
    const struct snapshot_row *most = NULL;

    for (uint32_t r = 0; r < s->rows; r++)
        if (verdict_is_work(&s->row[r]) && (most == NULL || s->row[r].total > most->total))
            most = &s->row[r];
    return most;
}

/* A digit says nothing that is less than half of the interval; a share is no 0 that is none. */
static unsigned digits_of(const struct table_cell *c)
{
    const bool known = c->high == c->high;
    const double half = (c->high - c->low) / 2;
    const unsigned by_interval = !known || half >= 0.5 ? 0 : half >= 0.05 ? 1 : 2;
    const unsigned by_share = c->percent >= 0.5 ? 0 : c->percent >= 0.05 ? 1 : 2;

    return by_interval > by_share ? by_interval : by_share;
}

/* Where the lead spends its time: the mode with most of its samples. */
static void put_mode(struct text_buf *b, const struct table_row *lead, unsigned digits)
{
    static const char *const where[MODES] = {
        [MODE_KERNEL] = " in its system calls", [MODE_SUPERVISOR] = " in services of the system",
        [MODE_USER] = " in its own program", [MODE_INTERRUPT] = " in interrupt handlers"};
    unsigned most = 0;

    for (unsigned m = 1; m < MODES; m++)
        most = lead->cell[m].hits > lead->cell[most].hits ? m : most;
    if (lead->cell[most].hits == lead->total.hits)
        buf_text(b, ", all of it");
    else
        buf_parts(b, ", ", REAL(lead->cell[most].percent, digits), " of it");
    buf_text(b, where[most]);
}

/* Tasks whose interval overlaps the lead's. */
static void put_rivals(struct text_buf *b, const struct snapshot *s, const struct table_row *lead,
                       const struct table_options *o)
{
    const struct snapshot_row *rival = NULL;
    unsigned rivals = 0;

    for (uint32_t i = 0; i < s->rows; i++)
        if (verdict_is_work(&s->row[i]) && &s->row[i] != lead->row &&
            table_row(s, &s->row[i], o).total.high >= lead->total.low) {
            rival = &s->row[i];
            rivals++;
        }
    if (rivals == 1)
        buf_parts(b, ", and ", snapshot_row_name(rival), " may have used as much");
    else if (rivals)
        buf_parts(b, ", and ", DECIMAL(rivals), " other tasks may have used as much");
}

/* The digits of its share. */
static unsigned put_lead(struct text_buf *b, const struct snapshot *s, const struct snapshot_row *row,
                         const struct table_options *o)
{
    const struct table_row lead = table_row(s, row, o);
    const unsigned digits = digits_of(&lead.total);
    const char *const share = REAL(lead.total.percent, digits);

    if (lead.total.low > 50)
        buf_parts(b, snapshot_row_name(row), " used most of the CPU, ", share, " %");
    else
        buf_parts(b, snapshot_row_name(row), " used ", share, " % of the CPU");
    put_mode(b, &lead, digits);
    put_rivals(b, s, &lead, o);
    return digits;
}

/* The row of this id; without samples where the table has none. */
static struct table_cell share_of(const struct snapshot *s, uint32_t id, const struct table_options *o)
{
    const struct snapshot_row none = {.id = id}, *const row = snapshot_find_row(s, id);

    return table_row(s, row ? row : &none, o).total;
}

/* How much a task may have used that no sample found: of few samples much. */
static void put_nobody(struct text_buf *b, const struct snapshot *s, const struct table_options *o)
{
    const struct table_cell unseen = share_of(s, ROW_ANY, o);

    buf_text(b, "No task was seen");
    if (unseen.high >= BESIDE_TOLD)
        buf_parts(b, " in ", DECIMAL(s->samples), s->samples == 1 ? " sample" : " samples",
                  ", after which one may have used up to ", REAL(unseen.high, 0), " % of the CPU");
}

/* As many digits as the lead has, and more where 100 would hide that it was idle. */
static void put_busy(struct text_buf *b, struct table_cell idle, unsigned digits)
{
    static const double hides[] = {0.5, 0.05};
    const double busy = 100.0 - idle.percent;

    while (digits < 2 && idle.hits && busy >= 100.0 - hides[digits])
        digits++;
    if (idle.hits)
        buf_parts(b, "; the machine was ", REAL(busy, digits), " % busy");
    else
        buf_text(b, "; the machine was never idle");
}

/* Rows of no task that hold much. */
static void put_beside(struct text_buf *b, const struct snapshot *s, const struct table_options *o)
{
    static const uint32_t beside[] = {ROW_MASKED, ROW_STOLEN, ROW_LOST};

    for (unsigned i = 0; i < sizeof(beside) / sizeof(*beside); i++) {
        const struct table_cell cell = share_of(s, beside[i], o);
        const struct snapshot_row row = {.id = beside[i]};

        if (cell.percent >= BESIDE_TOLD)
            buf_parts(b, "; ", REAL(cell.percent, digits_of(&cell)), " % are in row ", snapshot_row_name(&row),
                      ", of no task");
    }
}

void verdict_make(char to[VERDICT_SENTENCE], const struct snapshot *s, const struct table_options *o)
{
    struct text_buf b = {.text = to, .size = VERDICT_SENTENCE};
    const struct snapshot_row *const lead = s ? verdict_lead(s) : NULL;
    unsigned digits = 0;

    *to = '\0';
    if (!s || !s->samples)
        return;
    if (lead)
        digits = put_lead(&b, s, lead, o);
    else
        put_nobody(&b, s, o);
    put_busy(&b, share_of(s, ROW_IDLE, o), digits);
    put_beside(&b, s, o);
    if (o->estimator.reason && !o->wald)
        buf_parts(&b, "; shares have no intervals: ", o->estimator.reason);
    buf_char(&b, '.');
}

void verdict_balance(char to[VERDICT_SENTENCE], const struct snapshot *s, const struct table_options *o)
{
    struct text_buf b = {.text = to, .size = VERDICT_SENTENCE};
    const double idle = share_of(s, ROW_IDLE, o).percent, masked = share_of(s, ROW_MASKED, o).percent;

    *to = '\0';
    if (s->samples)
        buf_parts(&b, "busy ", REAL(100.0 - idle, 1), " %, idle ", REAL(idle, 1), ", masked ", REAL(masked, 1));
}
