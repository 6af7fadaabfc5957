/* SPDX-License-Identifier: MIT */
/*
 * In SVG a bar is as high as the share of its column that its row had; a terminal has a dot for less than an eighth.
 */

#include "tools/draw/gantt.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/analysis/execution_time.h"
#include "tools/base/alloc.h"
#include "tools/draw/chart.h"
#include "tools/draw/svg.h"

#define ROW_HEIGHT 20.0
#define BAR_HEIGHT 16.0
#define BAR_LEAST  1.5 /* px: a shorter time is still seen */
#define FRAME_ROOM 126.0
#define NAME_ROOM  104.0
#define SHARE_ROOM 52.0

static uint64_t span_of(const struct time_grid *grid, unsigned column)
{
    return (uint64_t)time_grid_column(grid, column + 1) - (uint64_t)time_grid_column(grid, column);
}

static double share_of(const struct gantt *g, const struct grid_row *row)
{
    return 100.0 * (double)grid_sum(row->time) / (double)((uint64_t)g->grid->to - (uint64_t)g->grid->from);
}

/* Whether a row that is drawn has this state. */
static bool occurs(const struct gantt *g, unsigned state)
{
    for (size_t r = 0; r < g->rows; r++)
        if (g->grid->row[r].time[state])
            return true;
    return false;
}

static bool is_mixed(const struct grid_cell *cell)
{
    unsigned states = 0;

    for (unsigned s = 0; s < GRID_STATES; s++)
        states += cell->time[s] != 0;
    return states > 1;
}

/* ---- for a terminal ---- */

static const char *glyph_of(const struct gantt *g, const struct gantt_state *state, bool little)
{
    static char letter[2];

    if (!g->ascii)
        return little ? "\u00b7" : state->glyph;
    letter[0] = little ? '.' : state->letter;
    return letter;
}

static void print_cell(const struct gantt *g, const struct grid_cell *cell, unsigned column, FILE *out)
{
    const unsigned state = grid_greatest(cell);
    const bool little = grid_sum(cell->time) < span_of(g->grid, column) / 8;

    if (state == GRID_STATES) {
        fputc(' ', out);
        return;
    }
    if (g->colour)
        fprintf(out, "\033[%um%s\033[0m", g->state[state].colour, glyph_of(g, &g->state[state], little));
    else
        fputs(glyph_of(g, &g->state[state], little), out);
}

static void print_row(const struct gantt *g, size_t r, FILE *out)
{
    const struct grid_row *row = &g->grid->row[r];

    fprintf(out, g->colour && r == g->guilty ? "\033[1m%-*.*s\033[0m " : "%-*.*s ", GANTT_NAME, GANTT_NAME,
            g->name[r]);
    for (unsigned c = 0; c < g->grid->columns; c++)
        print_cell(g, &row->cell[c], c, out);
    fprintf(out, " %6.2f%%\n", share_of(g, row));
}

static uint64_t count_mixed(const struct gantt *g)
{
    uint64_t mixed = 0;

    for (size_t r = 0; r < g->rows; r++)
        for (unsigned c = 0; c < g->grid->columns; c++)
            mixed += is_mixed(&g->grid->row[r].cell[c]);
    return mixed;
}

static void print_legend(const struct gantt *g, FILE *out)
{
    const char *before = "";

    for (unsigned s = 0; s < GRID_STATES; s++)
        if (occurs(g, s)) {
            fprintf(out, "%s%s %s", before, glyph_of(g, &g->state[s], false), g->state[s].name);
            before = ", ";
        }
    fprintf(out, "%s%s less than an eighth of the column\n", before, glyph_of(g, NULL, true));
}

/* What a column is, and what it hides. */
static void print_note(const struct gantt *g, FILE *out)
{
    time_axis_print_column(g->grid, g->hz, out);
    fprintf(out, ".  Of %" PRIu64 " cells with more than one state the greatest share is drawn.\n", count_mixed(g));
}

void gantt_print(const struct gantt *g, FILE *out)
{
    fprintf(out, "%s\n\n", g->title);
    time_axis_print(g->grid, g->hz, GANTT_NAME + 1, out);
    for (size_t r = 0; r < g->rows; r++)
        print_row(g, r, out);
    fputc('\n', out);
    print_legend(g, out);
    print_note(g, out);
}

/* ---- SVG ---- */

static double bar_height(const struct gantt *g, const struct grid_cell *cell, unsigned column)
{
    const double share = (double)grid_sum(cell->time) / (double)span_of(g->grid, column);
    const double height = BAR_HEIGHT * (share < 1.0 ? share : 1.0);

    return height > BAR_LEAST ? height : BAR_LEAST;
}

/* The rows share the plot, whatever room the legend took. */
static double row_foot(const struct gantt *g, const struct chart *c, size_t r)
{
    return c->plot.y + c->plot.height * (double)(r + 1) / (double)g->rows;
}

/* Bars of one state of a row; neighbours of one height become one. */
static size_t make_bars(const struct gantt *g, const struct chart *c, size_t r, unsigned state, struct svg_box *bar)
{
    const double width = c->plot.width / g->grid->columns, foot = row_foot(g, c, r) - 2.0;
    size_t bars = 0;
    unsigned last = GRID_COLUMNS;

    for (unsigned i = 0; i < g->grid->columns; i++) {
        const struct grid_cell *cell = &g->grid->row[r].cell[i];
        double height;

        if (grid_greatest(cell) != state || !span_of(g->grid, i))
            continue;
        height = bar_height(g, cell, i);
        if (bars && last + 1 == i && (int)(10.0 * bar[bars - 1].height) == (int)(10.0 * height))
            bar[bars - 1].width += width;
        else
            bar[bars++] = (struct svg_box){c->plot.x + width * i, foot - height, width, height};
        last = i;
    }
    return bars;
}

/* A band behind the whole row. */
static void draw_band(const struct gantt *g, const struct chart *c, size_t r)
{
    const double height = c->plot.height / (double)g->rows;

    svg_rect(c->out, (struct svg_box){0.0, row_foot(g, c, r) - height, c->width, height}, "guilty");
}

static void draw_row(const struct gantt *g, const struct chart *c, size_t r, struct svg_box *bar)
{
    const double y = row_foot(g, c, r);
    const bool guilty = r == g->guilty;
    char share[16];

    svg_text(c->out, (struct svg_point){c->plot.x - 6.0, y - 6.0}, SVG_END, guilty ? "text bold" : "text",
             g->name[r]);
    snprintf(share, sizeof(share), "%.2f%%", share_of(g, &g->grid->row[r]));
    svg_text(c->out, (struct svg_point){c->width - 8.0, y - 6.0}, SVG_END, guilty ? "small bold" : "small", share);
    svg_line(c->out, (struct svg_point){c->plot.x, y}, (struct svg_point){c->plot.x + c->plot.width, y}, "grid");
    for (unsigned s = 0; s < GRID_STATES; s++) {
        const size_t bars = make_bars(g, c, r, s, bar);

        if (bars)
            svg_boxes(c->out, bar, bars, g->state[s].class);
    }
}

bool gantt_svg(const void *gantt, FILE *out)
{
    const struct gantt *const g = gantt;
    struct svg_box *bar = xrealloc_array(NULL, g->grid->columns, sizeof(*bar));
    struct chart_key key[GRID_STATES];
    struct time_unit unit;
    char x_name[32], note[224];
    struct chart c = {
        .out = out, .width = g->width, .height = FRAME_ROOM + ROW_HEIGHT * (double)g->rows, .title = g->title,
        .note = note, .x_name = x_name, .y_name = "", .left = NAME_ROOM, .right = SHARE_ROOM, .key = key,
        .x = time_axis_scale(g->grid, g->hz, &unit),
    };
    bool written;

    snprintf(x_name, sizeof(x_name), "time, %s", unit.name);
    snprintf(note, sizeof(note), "A bar is as high as its row's share of the column, in the colour of the "
             "state with the greatest share: %" PRIu64 " columns have more than one state.%s", count_mixed(g),
             g->guilty < g->rows ? "  Marked: the task with most time." : "");
    for (unsigned s = 0; s < GRID_STATES; s++)
        if (occurs(g, s))
            key[c.keys++] = (struct chart_key){g->state[s].name, g->state[s].class};
    chart_begin(&c);
    if (g->guilty < g->rows)
        draw_band(g, &c, g->guilty);
    chart_x_axis(&c);
    for (size_t r = 0; r < g->rows; r++)
        draw_row(g, &c, r, bar);
    written = chart_end(&c);
    free(bar);
    return written;
}
