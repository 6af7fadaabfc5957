/* SPDX-License-Identifier: MIT */
/* A column is as long as what is known of it, so that a gap does not look like an idle processor. */

#include "tools/draw/load_chart.h"

#include <math.h>
#include <stdlib.h>

#include "tools/analysis/execution_time.h"
#include "tools/base/alloc.h"
#include "tools/draw/chart.h"
#include "tools/draw/svg.h"

#define HEIGHT 360.0

static double time_of(const struct grid_row *row, unsigned column)
{
    return row ? (double)grid_sum(row->cell[column].time) : 0.0;
}

double load_of_row(const struct load_chart *c, size_t i, unsigned column)
{
    const double known = (double)c->known[column];

    return known > 0.0 ? time_of(&c->grid->row[c->row[i]], column) / known : -1.0;
}

double load_of_column(const struct load_chart *c, unsigned column)
{
    const double known = (double)c->known[column];

    return known > 0.0 ? (known - time_of(c->idle, column)) / known : -1.0;
}

static bool any_unknown(const struct load_chart *c)
{
    for (unsigned i = 0; i < c->grid->columns; i++)
        if (!c->known[i])
            return true;
    return false;
}

double load_of_others(const struct load_chart *c, unsigned column)
{
    double rest = load_of_column(c, column);

    if (rest < 0.0)
        return rest;
    for (size_t i = 0; i < c->rows; i++)
        rest -= load_of_row(c, i, column);
    return rest > 0.0 ? rest : 0.0;
}

/* ---- for a terminal ---- */

/* Eighths of a line's height, or tenths as digits. */
static void print_load(const struct load_chart *c, double load, FILE *out)
{
    static const char *const block[] = {" ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587",
                                        "\u2588"};

    if (load < 0.0)
        fputc('~', out);
    else if (c->ascii)
        fputc(load <= 0.0 ? ' ' : "0123456789*"[(int)(10.0 * fmin(load, 1.0))], out);
    else
        fputs(block[(int)(load > 0.0 ? fmax(1.0, round(8.0 * fmin(load, 1.0))) : 0.0)], out);
}

/* A line of loads, with its mean and its greatest. */
static void print_line(const struct load_chart *c, const char *name, size_t row, FILE *out)
{
    double sum = 0.0, most = 0.0;
    unsigned known = 0;

    fprintf(out, "%-*.*s ", LOAD_NAME, LOAD_NAME, name);
    for (unsigned i = 0; i < c->grid->columns; i++) {
        const double load = row < c->rows ? load_of_row(c, row, i) : load_of_column(c, i);

        print_load(c, load, out);
        sum += load >= 0.0 ? load : 0.0;
        known += load >= 0.0;
        most = fmax(most, load);
    }
    fprintf(out, " %6.2f%% %6.2f%%\n", known ? 100.0 * sum / known : 0.0, 100.0 * most);
}

void load_chart_print(const struct load_chart *c, FILE *out)
{
    fprintf(out, "%s\n\n", c->title);
    time_axis_print(c->grid, c->hz, LOAD_NAME + 1, out);
    print_line(c, "all tasks", c->rows, out);
    for (size_t i = 0; i < c->rows; i++)
        print_line(c, c->name[i], i, out);
    fputc('\n', out);
    time_axis_print_column(c->grid, c->hz, out);
    fputs("; at the right the mean and the greatest load of a column.\n", out);
}

static void print_percent(FILE *out, double load)
{
    if (load < 0.0)
        fputs(" -", out);
    else
        fprintf(out, " %.3f", 100.0 * load);
}

void load_chart_table(const struct load_chart *c, FILE *out)
{
    fputs("# seconds load", out);
    for (size_t i = 0; i < c->rows; i++)
        fprintf(out, " %s", c->name[i]);
    fputs(" (others)\n", out);
    for (unsigned column = 0; column < c->grid->columns; column++) {
        fprintf(out, "%.9f", (double)time_grid_column(c->grid, column) / c->hz);
        print_percent(out, load_of_column(c, column));
        for (size_t i = 0; i < c->rows; i++)
            print_percent(out, load_of_row(c, i, column));
        print_percent(out, load_of_others(c, column));
        fputc('\n', out);
    }
}

/* ---- SVG ---- */

#define COLOURED 5 /* tasks with a colour of their own: more are not told apart at a glance */
#define GREY     7 /* of all others */

static size_t coloured(const struct load_chart *l)
{
    return l->rows < COLOURED ? l->rows : COLOURED;
}

static const char *class_of(const struct load_chart *l, size_t row)
{
    return svg_fill(row < coloured(l) ? (unsigned)row : GREY);
}

/* Of a row, or of all that have no colour of their own. */
static double load_drawn(const struct load_chart *l, size_t row, unsigned column)
{
    double load = row < coloured(l) ? load_of_row(l, row, column) : load_of_others(l, column);

    for (size_t i = COLOURED; load >= 0.0 && row == coloured(l) && i < l->rows; i++)
        load += load_of_row(l, i, column);
    return load;
}

/* Boxes of one row on top of those below it, whose heights are in foot[]. */
static void draw_row(const struct load_chart *l, const struct chart *c, size_t row, double *foot, struct svg_box *box)
{
    const double width = c->plot.width / l->grid->columns;
    size_t boxes = 0;

    for (unsigned i = 0; i < l->grid->columns; i++) {
        const double load = load_drawn(l, row, i);

        if (load <= 0.0)
            continue;
        box[boxes++] = (struct svg_box){
            c->plot.x + width * i, scale_place(&c->y, 100.0 * (foot[i] + load)), width, c->plot.height * load,
        };
        foot[i] += load;
    }
    if (boxes)
        svg_boxes(c->out, box, boxes, class_of(l, row));
}

static void draw_unknown(const struct load_chart *l, const struct chart *c)
{
    const double width = c->plot.width / l->grid->columns;

    for (unsigned i = 0; i < l->grid->columns; i++)
        if (load_of_column(l, i) < 0.0)
            svg_rect(c->out, (struct svg_box){c->plot.x + width * i, c->plot.y, width, c->plot.height}, "lost");
}

static void set_keys(const struct load_chart *l, struct chart *c, struct chart_key *key)
{
    for (size_t i = 0; i <= coloured(l); i++)
        key[c->keys++] = (struct chart_key){i < coloured(l) ? l->name[i] : "other tasks", class_of(l, i)};
    if (any_unknown(l))
        key[c->keys++] = (struct chart_key){"not known", "lost"};
}

bool load_chart_svg(const void *chart, FILE *out)
{
    const struct load_chart *const l = chart;
    double *foot = xcalloc(l->grid->columns, sizeof(*foot));
    struct svg_box *box = xrealloc_array(NULL, l->grid->columns, sizeof(*box));
    struct chart_key key[COLOURED + 2];
    char x_name[32];
    struct time_unit unit;
    struct chart c = {
        .out = out, .width = l->width, .height = HEIGHT, .title = l->title, .note = "", .x_name = x_name,
        .y_name = "load, %", .left = 30.0, .key = key, .x = time_axis_scale(l->grid, l->hz, &unit),
        .y = {.low = 0.0, .high = 100.0},
    };
    bool written;

    snprintf(x_name, sizeof(x_name), "time, %s", unit.name);
    set_keys(l, &c, key);
    chart_begin(&c);
    for (size_t row = 0; row <= coloured(l); row++)
        draw_row(l, &c, row, foot, box);
    draw_unknown(l, &c);
    chart_x_axis(&c);
    chart_y_axis(&c);
    written = chart_end(&c);
    free(foot);
    free(box);
    return written;
}
