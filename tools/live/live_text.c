/* SPDX-License-Identifier: MIT */
/* Formats the lines of a live view, and fills the columns of a bar, from left to right. */
#include "tools/live/live_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probe/stats/verdict.h"
#include "probe/text/text_buf.h"
#include "tools/base/printable.h"
#include "tools/live/live_run.h"
#include "tools/stream/stream_reader.h"

static const struct {
    enum mode mode;
    enum live_mark mark;
} parts[MODES] = {
    {MODE_KERNEL, LIVE_KERNEL},
    {MODE_SUPERVISOR, LIVE_SUPERVISOR},
    {MODE_USER, LIVE_USER},
    {MODE_INTERRUPT, LIVE_INTERRUPT},
};

struct axis {
    unsigned width;
    double scale;
};

static unsigned column(const struct axis *a, double percent)
{
    const double at = floor(percent / a->scale * a->width + 0.5);

    return !(at > 0.0) ? 0 : at >= a->width ? a->width : (unsigned)at;
}

/* The modes side by side; what rounding leaves out is in the next one. */
static void put_modes(char *to, const struct axis *a, const struct table_row *row)
{
    double sum = 0.0;
    unsigned at = 0;

    for (unsigned i = 0; i < MODES; i++) {
        const struct table_cell *cell = &row->cell[parts[i].mode];

        sum += cell->hits ? cell->percent : 0.0;
        for (; at < column(a, sum); at++)
            to[at] = (char)parts[i].mark;
    }
}

static void put_interval(char *to, const struct axis *a, const struct table_cell *total)
{
    const unsigned low = column(a, total->low), high = column(a, total->high), at = column(a, total->percent);

    if (isnan(total->low))
        return;
    for (unsigned i = low; i < high; i++)
        to[i] = (char)LIVE_LIMIT;
    if (at < a->width)
        to[at] = (char)LIVE_ESTIMATE;
}

void live_bar(char *to, unsigned width, const struct table_row *row, double scale)
{
    const struct axis a = {width, scale};

    memset(to, ' ', width);
    to[width] = '\0';
    if (!row->total.hits)
        return;
    if (row->modes)
        put_modes(to, &a, row);
    else
        memset(to, (char)LIVE_NO_MODE, column(&a, row->total.percent));
    put_interval(to, &a, &row->total);
}

#define NAME_WIDE  14
#define SHARE_WIDE 7
#define LOW_WIDE   7 /* of TABLE_LIMITS_WIDE */
#define MODE_WIDE  8
#define BAR_LEAST  8
#define BAR_NAMED  16 /* of a bar whose heading has room for what it shows */

/* ---- columns ---- */

struct live_columns live_columns_of(unsigned width)
{
    struct live_columns c = {.limits = width >= 60, .exact = width >= 100, .modes = width >= 140};

    c.bar_at = NAME_WIDE + 2 * SHARE_WIDE + (c.limits ? 2 * TABLE_LIMITS_WIDE : 0) +
               (c.exact ? 2 * SHARE_WIDE : 0) + (c.modes ? MODES * MODE_WIDE : 0) + 2;
    width = width < LIVE_LINE ? width : LIVE_LINE - 1;
    c.bar = width >= c.bar_at + BAR_LEAST ? width - c.bar_at : 0;
    return c;
}

/* A share with as many digits as its interval, where it has one. */
static void put_share(struct text_buf *b, const struct live_columns *c, const struct table_cell *cell, bool known)
{
    const bool limits = c->limits && known && !isnan(cell->high);

    buf_right(b, known ? REAL(cell->percent, limits ? 2 : 1) : "n.a.", SHARE_WIDE);
    if (limits) {
        buf_right(b, REAL(cell->low, 2), LOW_WIDE);
        buf_char(b, '-');
        buf_left(b, REAL(cell->high, 2), TABLE_LIMITS_WIDE - LOW_WIDE - 1);
    } else if (c->limits) {
        buf_left(b, known ? "   n.a." : "", TABLE_LIMITS_WIDE);
    }
}

static void put_exact(struct text_buf *b, const struct live_columns *c, const struct table_cell *cell)
{
    if (!c->exact)
        return;
    buf_right(b, REAL(cell->exact, 2), SHARE_WIDE);
    buf_right(b, format_real((char[FORMAT_DIGITS]){0}, cell->percent - cell->exact, 2, "+"), SHARE_WIDE);
}

static const enum mode in_order[MODES] = {MODE_KERNEL, MODE_SUPERVISOR, MODE_USER, MODE_INTERRUPT};
static const char *const mode_heads[MODES] = {"Kernel", "Superv.", "User", "Interr."};

static struct text_buf line_of(char to[LIVE_LINE])
{
    *to = '\0';
    return (struct text_buf){.text = to, .size = LIVE_LINE, .length = 0};
}

void live_text_columns(char to[LIVE_LINE], const struct live_columns *c, const struct live_table *t, double scale)
{
    struct text_buf b = line_of(to);

    buf_left(&b, "Task", NAME_WIDE);
    buf_right(&b, "Last %", SHARE_WIDE);
    buf_left(&b, c->limits ? "   95 %" : "", c->limits ? TABLE_LIMITS_WIDE : 0);
    buf_right(&b, "Start%", SHARE_WIDE);
    buf_left(&b, c->limits ? "   95 %" : "", c->limits ? TABLE_LIMITS_WIDE : 0);
    buf_right(&b, c->exact ? "Exact" : "", c->exact ? SHARE_WIDE : 0);
    buf_right(&b, c->exact ? "Error" : "", c->exact ? SHARE_WIDE : 0);
    for (unsigned i = 0; c->modes && i < MODES; i++)
        buf_right(&b, mode_heads[i], MODE_WIDE);
    if (!c->bar)
        return;
    buf_pad(&b, c->bar_at);
    buf_parts(&b, "0", c->bar < BAR_NAMED ? "" : t->has_last ? " last" : " start");
    buf_right(&b, JOINED(DECIMAL((uint64_t)scale), " %"), c->bar - (unsigned)(b.length - c->bar_at));
}

void live_text_row(char to[LIVE_LINE], const struct live_columns *c, const struct live_table *t,
                   const struct live_row *row, double scale)
{
    struct text_buf b = line_of(to);
    char bar[LIVE_LINE];

    buf_left(&b, row->name, NAME_WIDE);
    put_share(&b, c, &row->last.total, t->has_last);
    put_share(&b, c, &row->whole.total, true);
    put_exact(&b, c, &row->whole.total);
    for (unsigned i = 0; c->modes && i < MODES; i++)
        buf_right(&b, row->whole.modes && t->has_last ? REAL(row->last.cell[in_order[i]].percent, 1) : "", MODE_WIDE);
    if (!c->bar)
        return;
    live_bar(bar, c->bar, t->has_last ? &row->last : &row->whole, scale);
    buf_pad(&b, c->bar_at);
    buf_text(&b, bar);
    buf_trim(&b);
}

void live_text_mode(char to[LIVE_LINE], const struct live_columns *c, const struct live_row *row, enum mode mode)
{
    struct text_buf b = line_of(to);

    buf_left(&b, JOINED("  ", mode_name(mode)), NAME_WIDE);
    put_share(&b, c, &row->last.cell[mode], row->last.modes);
    put_share(&b, c, &row->whole.cell[mode], true);
    put_exact(&b, c, &row->whole.cell[mode]);
}

void live_text_rest(char to[LIVE_LINE], const struct live_run *r, const struct live_table *t, unsigned first,
                    unsigned shown)
{
    unsigned more = t->hidden;

    *to = '\0';
    if (!r->has_whole)
        return;
    verdict_balance(to, t->has_last ? r->last : r->whole, &r->options);
    for (unsigned i = 0; i < t->rows; i++)
        more += (i < first || i >= first + shown) && t->row[i].id < ROW_IDLE;
    if (more)
        snprintf(to + strlen(to), LIVE_LINE - strlen(to), "; %u more task%s", more, more == 1 ? "" : "s");
}

void live_text_cut(char line[LIVE_LINE], unsigned width)
{
    size_t end = width;

    if (strlen(line) <= width)
        return;
    while (end && line[end] != ' ')
        end--;
    while (end && strchr(" ,;:", line[end - 1]))
        end--;
    line[end ? end : width] = '\0';
}

/* ---- above the table ---- */

static void put_title(char to[LIVE_LINE], const struct live_link *l)
{
    const struct live_run *r = l->run;
    char state[LIVE_TEXT];

    live_link_state(l, state);
    snprintf(to, LIVE_LINE, "%.200s: %s; %.1f s, epoch %" PRIu64, l->client.port, state,
             r->has_whole ? live_run_seconds(r, r->whole) : 0.0, r->epochs);
}

static void put_source(char to[LIVE_LINE], const struct live_run *r)
{
    const double seconds = r->has_whole ? live_run_seconds(r, r->whole) : 0.0;

    if (!r->source[0] || r->mean <= 0.0) {
        snprintf(to, LIVE_LINE, "tick not told");
        return;
    }
    snprintf(to, LIVE_LINE, "tick %s, asked for %.1f Hz, took %.1f, %s%s%s%s%s", r->source,
             (double)r->hello.clock_hz / r->mean, seconds > 0.0 ? (double)r->whole->samples / seconds : 0.0,
             r->policy[0] ? r->policy : "policy not told", r->beside[0] ? "; " : "", r->beside,
             r->health[0] ? "; " : "", r->health);
}

static void put_samples(char to[LIVE_LINE], const struct live_run *r)
{
    const struct snapshot *s = r->whole, *last = r->last;

    if (!r->has_whole) {
        snprintf(to, LIVE_LINE, "no snapshot yet");
        return;
    }
    snprintf(to, LIVE_LINE, "late %" PRIu64 ", missed %s, lost %" PRIu64 "; samples %" PRIu64, s->late,
             REAL(table_missed_masked(s, &r->options) + (double)s->missed_overrun + (double)s->missed_source, 1),
             s->lost_table + s->lost_ring, s->samples);
    if (r->has_last)
        snprintf(to + strlen(to), LIVE_LINE - strlen(to), " (+%" PRIu64 " in %.2f s)", last->samples,
                 live_run_seconds(r, last));
    if (s->exact)
        snprintf(to + strlen(to), LIVE_LINE - strlen(to), ", monitor %s %%",
                 REAL(100.0 * (double)s->monitor / (double)(s->end - s->begin), 2));
    if (!r->has_last)
        strcat(to, "; last interval n.a.: counters went down");
    else if (r->options.estimator.reason)
        snprintf(to + strlen(to), LIVE_LINE - strlen(to), "; 95 %% n.a.: %s", r->options.estimator.reason);
}

static void put_line(char to[LIVE_LINE], const struct live_link *l)
{
    const struct stream_stats *s = live_link_stats(l);
    const struct live_run *r = l->run;

    snprintf(to, LIVE_LINE, "line: %" PRIu64 " damaged, %" PRIu64 " missing of %" PRIu64 " frames, %" PRIu64 " bytes",
             decoder_damaged(s), s->missing, s->frames, s->bytes);
    if (s->unsure)
        snprintf(to + strlen(to), LIVE_LINE - strlen(to), ", more at %" PRIu64 " places", s->unsure);
    if (s->unknown)
        snprintf(to + strlen(to), LIVE_LINE - strlen(to), ", %" PRIu64 " of unknown types", s->unknown);
    if (l->reopened)
        snprintf(to + strlen(to), LIVE_LINE - strlen(to), ", opened again %lu times", l->reopened);
    if (r->said[0])
        snprintf(to + strlen(to), LIVE_LINE - strlen(to), "; %s", r->said);
}

void live_text_head(char to[LIVE_LINE], enum live_head line, const struct live_link *l)
{
    *to = '\0';
    switch (line) {
    case LIVE_HEAD_TITLE: put_title(to, l); break;
    case LIVE_HEAD_SOURCE: put_source(to, l->run); break;
    case LIVE_HEAD_SAMPLES: put_samples(to, l->run); break;
    case LIVE_HEAD_LINE: put_line(to, l); break;
    case LIVE_HEAD_VERDICT:
        verdict_make(to, l->run->has_whole ? l->run->whole : NULL, &l->run->options);
        printable(to);
        break;
    case LIVE_HEADS: break;
    }
}

bool live_text_is_alarm(enum live_head line, const struct live_link *l)
{
    const struct live_run *r = l->run;
    const struct snapshot *s = r->whole;

    switch (line) {
    case LIVE_HEAD_TITLE: return l->gone || (r->ended && !r->ended_well);
    case LIVE_HEAD_SAMPLES:
        return r->has_whole &&
               (s->missed_overrun || s->missed_source || s->lost_table || s->lost_ring || !r->has_last);
    case LIVE_HEAD_LINE: return !stream_is_whole(live_link_stats(l));
    case LIVE_HEAD_SOURCE:
    case LIVE_HEAD_VERDICT:
    case LIVE_HEADS: break;
    }
    return false;
}
