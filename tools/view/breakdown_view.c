/* SPDX-License-Identifier: MIT */
/*
 * Prints the rows of a breakdown as lines: by function and by line with percentages, by instruction
 * with the code.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/saturate.h"
#include "tools/base/text_set.h"
#include "tools/view/histogram_view.h"

#define BAR_LEAST  12
#define CODE_WIDTH 32 /* most instructions */

struct page { /* the breakdown being printed */
    const struct histogram_view *view;
    const struct breakdown *b;
    struct histogram_rule rule;
    struct text_buf line;
    unsigned columns, name, hits, bar; /* widths */
    double scale;
    uint32_t *cut, *rows_of; /* the number of what is left of each row's name; how many rows have that number */
};

static bool is_shown(const struct page *p, const struct breakdown_row *row)
{
    return row->tally.hits >= p->view->min;
}

static struct histogram_range range_of(const struct page *p, const struct breakdown_row *row)
{
    return histogram_range(&p->rule, row->tally.hits, row->tally.changes);
}

static unsigned longest_name(const struct page *p, enum breakdown_by by)
{
    size_t longest = 8;

    for (size_t r = 0; r < p->b->rows; r++) {
        size_t length = by == BREAKDOWN_INSTRUCTION
                            ? (size_t)snprintf(NULL, 0, "0x%" PRIx64 ":", p->b->row[r].start)
                            : strlen(p->b->row[r].name);

        if (is_shown(p, &p->b->row[r]) && length > longest)
            longest = length;
    }
    return longest < TEXT_BUF_SIZE ? (unsigned)longest : TEXT_BUF_SIZE;
}

/* Percent, interval and their blanks. */
static unsigned middle_of(enum breakdown_by by)
{
    return by == BREAKDOWN_INSTRUCTION ? 0 : 8 + 7 + 1 + 6;
}

static unsigned at_least(unsigned value, unsigned least)
{
    return value > least ? value : least;
}

/* Divide the columns: first the least width of a bar, then the names; the bar gets the rest. */
static void measure(struct page *p, enum breakdown_by by)
{
    uint64_t most = 0;
    double longest = 0;
    unsigned fixed, room;

    for (size_t r = 0; r < p->b->rows; r++) {
        double high = range_of(p, &p->b->row[r]).high;

        most = p->b->row[r].tally.hits > most ? p->b->row[r].tally.hits : most;
        longest = is_shown(p, &p->b->row[r]) && high > longest ? high : longest;
    }
    p->hits = at_least((unsigned)snprintf(NULL, 0, "%" PRIu64, most) + 1, 6);
    fixed = middle_of(by) + p->hits + 2;
    room = p->columns > fixed ? p->columns - fixed : 0;
    p->name = longest_name(p, by);
    if (by == BREAKDOWN_INSTRUCTION)
        room = room > CODE_WIDTH ? room - CODE_WIDTH : 0;
    else if (p->name + BAR_LEAST > room && p->view->columns)
        p->name = room > BAR_LEAST ? at_least(room - BAR_LEAST, 8) : 8;
    p->bar = room > p->name ? at_least(room - p->name, BAR_LEAST) : BAR_LEAST;
    p->scale = histogram_scale(longest, p->bar - 2);
}

/* ---- names ---- */

/* Number what is left of the names that are cut, so that those of which the same is left can be told apart. */
static void number_names(struct page *p)
{
    struct text_set left = {0};

    p->cut = xrealloc_array(NULL, p->b->rows + 1, sizeof(*p->cut));
    p->rows_of = xcalloc(p->b->rows + 1, sizeof(*p->rows_of));
    for (size_t r = 0; r < p->b->rows; r++)
        if (is_shown(p, &p->b->row[r])) {
            p->cut[r] = text_set_number(&left, view_name(p->b->row[r].name, p->name));
            p->rows_of[p->cut[r]]++;
        }
    text_set_free(&left);
}

/* Whole where lines may be longer, and where another row's would be cut to the same text. */
static void put_name(struct page *p, size_t row)
{
    const char *const name = p->b->row[row].name;

    if (!p->view->columns || p->rows_of[p->cut[row]] > 1)
        buf_left(&p->line, name, p->name);
    else
        view_left(&p->line, name, p->name);
}

/* ---- the lines ---- */

static void print_heading(const struct page *p)
{
    struct histogram h = view_histogram(p->view);
    struct histogram_options o = view_options(p->view);
    struct histogram_slot *rows = xrealloc_array(NULL, p->b->rows + 1, sizeof(*rows));

    for (size_t r = 0; r < p->b->rows; r++)
        rows[r] = (struct histogram_slot){r, p->b->row[r].tally.hits, p->b->row[r].tally.changes};
    h.slots = rows;
    h.count = p->b->rows;
    histogram_print_heading(&h, &o, p->scale, view_line, NULL);
    free(rows);
}

static void print_columns(struct page *p, enum breakdown_by by)
{
    static const char *const first[] = {"Function", "Line", "Address"};
    static const char *const rule[] = {"========", "====", "======="};

    for (int ruled = 0; ruled < 2; ruled++) {
        view_left(&p->line, (ruled ? rule : first)[by], p->name);
        if (by != BREAKDOWN_INSTRUCTION) {
            buf_text(&p->line, ruled ? " =======" : " Percent");
            buf_text(&p->line, ruled ? "  =====-===== " : "  95 %        ");
        }
        buf_right(&p->line, ruled ? "====" : "Hits", p->hits + 1);
        view_end_line(&p->line);
    }
}

static void put_hits(struct page *p, const struct breakdown_row *row)
{
    buf_right(&p->line, DECIMAL(row->tally.hits), p->hits);
    buf_text(&p->line, ": ");
}

static void put_percent(struct page *p, const struct breakdown_row *row)
{
    struct histogram_range range = range_of(p, row);
    struct text_buf *l = &p->line;
    const size_t end = l->length + 22;
    const double n = (double)p->rule.samples;

    buf_right(l, REAL(percent_or(range.hits, n, 0.0), 2), 8);
    if (!p->rule.estimator.reason || p->rule.wald) {
        buf_right(l, REAL(percent_or(range.low, n, 0.0), 2), 7);
        buf_parts(l, "-", REAL(percent_or(range.high, n, 0.0), 2));
    }
    buf_pad(l, end);
}

static void print_row(struct page *p, size_t at)
{
    const struct breakdown_row *const row = &p->b->row[at];
    struct histogram_range range = range_of(p, row);

    put_name(p, at);
    put_percent(p, row);
    put_hits(p, row);
    histogram_bar(&p->line, &range, p->scale);
    view_end_line(&p->line);
}

static void put_address(struct page *p, uint64_t address)
{
    char text[32];

    snprintf(text, sizeof(text), p->view->octal ? "%06" PRIo64 : "0x%" PRIx64, address);
    buf_text(&p->line, text);
}

static void print_instruction(struct page *p, const struct breakdown_row *row)
{
    struct histogram_range range = range_of(p, row);
    struct text_buf *l = &p->line;
    size_t end;

    put_address(p, row->start);
    buf_char(l, ':');
    buf_pad(l, p->name);
    put_hits(p, row);
    end = l->length + p->bar;
    histogram_bar(l, &range, p->scale);
    buf_pad(l, end);
    if (row->text && p->columns > l->length)
        view_left(l, row->text, p->columns - (unsigned)l->length);
    view_end_line(l);
}

/* Instructions of one function stand under its name, as slots do in the paper's Figure 5. */
static void print_function(struct page *p, const struct breakdown_row *row)
{
    const struct symbol *const symbol = row->symbol;

    if (symbol) {
        put_address(p, symbol->start);
        buf_char(&p->line, '-');
        if (row->task[0])
            buf_parts(&p->line, view_name(row->task, 0), ": ");
        buf_text(&p->line, view_name(symbols_display_name(symbol),
                                     p->view->columns ? p->columns - (unsigned)p->line.length : 0));
    } else {
        buf_parts(&p->line, view_name(row->task, 0), row->task[0] ? ": " : "", "no symbol");
    }
    view_end_line(&p->line);
}

static void print_instructions(struct page *p)
{
    const struct breakdown_row *above = NULL;

    for (size_t r = 0; r < p->b->rows; r++) {
        const struct breakdown_row *row = &p->b->row[r];

        if (!is_shown(p, row))
            continue;
        if (!above || row->symbol != above->symbol || strcmp(row->task, above->task)) {
            if (above)
                view_end_line(&p->line);
            print_function(p, row);
        }
        print_instruction(p, row);
        above = row;
    }
}

static void print_rows(struct page *p, enum breakdown_by by)
{
    if (by == BREAKDOWN_INSTRUCTION) {
        print_instructions(p);
        return;
    }
    number_names(p);
    for (size_t r = 0; r < p->b->rows; r++)
        if (is_shown(p, &p->b->row[r]))
            print_row(p, r);
    free(p->cut);
    free(p->rows_of);
}

/* A line with room for any name and what stands beside it. */
static struct text_buf line_for(const struct breakdown *b)
{
    struct text_buf line = {0};

    for (size_t r = 0; r < b->rows; r++) {
        const size_t length = strlen(b->row[r].name);

        line.size = length > line.size ? length : line.size;
    }
    line.size += 2 * TEXT_BUF_SIZE;
    line.text = xrealloc_array(NULL, line.size, 1);
    buf_reset(&line);
    return line;
}

bool view_breakdown(const struct histogram_view *v, enum breakdown_by by)
{
    const struct profile *p = v->profile;
    struct breakdown b;
    struct page page = {
        .view = v, .b = &b, .columns = v->columns ? v->columns : VIEW_COLUMNS,
        .rule = {p->estimator, v->wald, p->samples, p->unresolved},
    };

    if (!breakdown_make(&b, p, v->symbols, by))
        return false;
    page.line = line_for(&b);
    measure(&page, by);
    print_heading(&page);
    print_columns(&page, by);
    print_rows(&page, by);
    free(page.line.text);
    breakdown_free(&b);
    return true;
}
