/* SPDX-License-Identifier: MIT */
/*
 * Lays out a chart: the title above, the legend below it in as many lines as it takes, the axes around the plot; and
 * scales with round numbers, which are 1, 2 and 5 times a power of ten.
 */
#include "tools/draw/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

double scale_place(const struct scale *s, double value)
{
    const double part = s->logarithmic ? log(value / s->low) / log(s->high / s->low)
                                       : (value - s->low) / (s->high - s->low);

    return s->from + part * (s->to - s->from);
}

/* The least round number at or above `value`, which is above 0. */
static double round_up(double value)
{
    static const double step[] = {1.0, 2.0, 5.0, 10.0};
    const double decade = pow(10.0, floor(log10(value)));

    for (unsigned i = 0; i < 3; i++)
        if (value <= step[i] * decade * (1.0 + 1e-9))
            return step[i] * decade;
    return 10.0 * decade;
}

static unsigned decades(const struct scale *s, unsigned most, double tick[SCALE_TICKS])
{
    const int first = (int)ceil(log10(s->low) - 1e-9), last = (int)floor(log10(s->high) + 1e-9);
    const int step = (last - first) / (int)most + 1;
    unsigned n = 0;

    for (int power = first; power <= last && n < most; power += step)
        tick[n++] = pow(10.0, power);
    return n;
}

unsigned scale_ticks(const struct scale *s, unsigned most, double tick[SCALE_TICKS])
{
    double step, first;
    unsigned n = 0;

    if (s->logarithmic)
        return decades(s, most, tick);
    step = round_up((s->high - s->low) / most);
    first = ceil(s->low / step - 1e-9);
    while (n < most && (first + n) * step <= s->high + 1e-9 * step) {
        tick[n] = (first + n) * step;
        n++;
    }
    return n;
}

double scale_top(double value)
{
    static const double step[] = {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 10.0};
    const double decade = value > 0.0 ? pow(10.0, floor(log10(value))) : 1.0;
    unsigned i = 0;

    while (i + 1 < sizeof(step) / sizeof(step[0]) && value > step[i] * decade * (1.0 + 1e-9))
        i++;
    return step[i] * decade;
}

/* Numbers stand at the mark that they belong to, with room for the longest. */

#define LABEL_ROOM 14 /* columns between two numbers at least */
#define LABEL_MOST 24

struct scale time_axis_scale(const struct time_grid *grid, double hz, struct time_unit *unit)
{
    const double from = (double)grid->from / hz, to = (double)grid->to / hz;

    *unit = time_unit_of(to - from);
    return (struct scale){.low = from / unit->seconds, .high = to / unit->seconds};
}

void time_axis_print_column(const struct time_grid *grid, double hz, FILE *out)
{
    const double column = (double)((uint64_t)grid->to - (uint64_t)grid->from) / hz / grid->columns;
    const struct time_unit unit = time_unit_of(column);
    char digits[TIME_DIGITS];

    time_print(digits, column / unit.seconds, column / unit.seconds);
    fprintf(out, "A column is %s %s", digits, unit.name);
}

static unsigned marks_in(unsigned columns)
{
    const unsigned most = columns / LABEL_ROOM;

    return most < 2 ? 2 : most > SCALE_TICKS ? SCALE_TICKS : most;
}

void time_axis_print(const struct time_grid *grid, double hz, unsigned left, FILE *out)
{
    const unsigned columns = grid->columns;
    char *numbers = xrealloc_array(NULL, columns + 2 * LABEL_MOST, 1), *marks = xrealloc_array(NULL, columns + 1, 1);
    double tick[SCALE_TICKS];
    struct time_unit unit;
    struct scale scale = time_axis_scale(grid, hz, &unit);
    const unsigned ticks = scale_ticks(&scale, marks_in(columns), tick);
    unsigned end = 0;

    scale.to = columns;
    memset(numbers, ' ', columns + 2 * LABEL_MOST);
    memset(marks, '-', columns + 1);
    for (unsigned i = 0; i < ticks; i++) {
        const unsigned at = (unsigned)scale_place(&scale, tick[i]);
        char text[LABEL_MOST];
        const int length = snprintf(text, sizeof(text), "%.10g%s%s", tick[i], i ? "" : " ", i ? "" : unit.name);

        memcpy(numbers + at, text, (size_t)length);
        marks[at] = '+';
        end = at + (unsigned)length;
    }
    fprintf(out, "%*s%.*s\n", (int)left, "", (int)end, numbers);
    fprintf(out, "%*s%.*s\n", (int)left, "", (int)columns, marks);
    free(numbers);
    free(marks);
}

#define MARGIN      12.0
#define LINE        17.0 /* of text */
#define AXIS_ROOM   22.0 /* numbers below the plot */
#define SWATCH      11.0
#define X_TICK_ROOM 70.0
#define Y_TICK_ROOM 34.0

static double key_width(const struct chart_key *key)
{
    return SWATCH + 5.0 + svg_text_width(key->name) + 14.0;
}

/* Where the line of text after the legend begins. */
static double put_legend(const struct chart *c, double y)
{
    double x = MARGIN;

    for (unsigned i = 0; i < c->keys; i++) {
        if (x > MARGIN && x + key_width(&c->key[i]) > c->width) {
            x = MARGIN;
            y += LINE;
        }
        svg_rect(c->out, (struct svg_box){x, y - SWATCH + 1.0, SWATCH, SWATCH}, c->key[i].class);
        svg_text(c->out, (struct svg_point){x + SWATCH + 5.0, y}, SVG_START, "text", c->key[i].name);
        x += key_width(&c->key[i]);
    }
    return c->keys ? y + LINE : y;
}

void chart_begin(struct chart *c)
{
    double y = 22.0, bottom = MARGIN + AXIS_ROOM + (*c->x_name ? LINE : 0.0);

    svg_begin(c->out, c->width, c->height, c->title);
    svg_text(c->out, (struct svg_point){MARGIN, y}, SVG_START, "title", c->title);
    y += LINE;
    if (*c->note) {
        svg_text(c->out, (struct svg_point){MARGIN, y}, SVG_START, "small", c->note);
        y += LINE;
    }
    y = put_legend(c, y + 2.0);
    c->plot = (struct svg_box){c->left + MARGIN + (*c->y_name ? LINE : 0.0), y, 0.0, c->height - bottom - y};
    c->plot.width = c->width - MARGIN - c->right - c->plot.x;
    c->x.from = c->plot.x;
    c->x.to = c->plot.x + c->plot.width;
    c->y.from = c->plot.y + c->plot.height;
    c->y.to = c->plot.y;
}

static unsigned ticks_in(double px, double room)
{
    const double n = px / room;

    return n < 2.0 ? 2 : n > SCALE_TICKS ? SCALE_TICKS : (unsigned)n;
}

void chart_x_axis(const struct chart *c)
{
    const double below = c->plot.y + c->plot.height;
    double tick[SCALE_TICKS];
    const unsigned n = scale_ticks(&c->x, ticks_in(c->plot.width, X_TICK_ROOM), tick);
    char text[32];

    for (unsigned i = 0; i < n; i++) {
        const double x = scale_place(&c->x, tick[i]);

        svg_line(c->out, (struct svg_point){x, c->plot.y}, (struct svg_point){x, below + 4.0}, "grid");
        snprintf(text, sizeof(text), "%.10g", tick[i]);
        svg_text(c->out, (struct svg_point){x, below + LINE}, SVG_MIDDLE, "text", text);
    }
    if (*c->x_name)
        svg_text(c->out, (struct svg_point){c->plot.x + c->plot.width / 2, below + AXIS_ROOM + LINE - 4.0},
                 SVG_MIDDLE, "text", c->x_name);
}

void chart_y_axis(const struct chart *c)
{
    double tick[SCALE_TICKS];
    const unsigned n = scale_ticks(&c->y, ticks_in(c->plot.height, Y_TICK_ROOM), tick);
    char text[32];

    for (unsigned i = 0; i < n; i++) {
        const double y = scale_place(&c->y, tick[i]);

        svg_line(c->out, (struct svg_point){c->plot.x, y}, (struct svg_point){c->plot.x + c->plot.width, y}, "grid");
        snprintf(text, sizeof(text), "%.10g", tick[i]);
        svg_text(c->out, (struct svg_point){c->plot.x - 6.0, y + 4.0}, SVG_END, "text", text);
    }
    if (*c->y_name)
        svg_text_up(c->out, (struct svg_point){MARGIN + 8.0, c->plot.y + c->plot.height / 2}, "text", c->y_name);
}

bool chart_end(const struct chart *c)
{
    const struct svg_point corner = {c->plot.x, c->plot.y + c->plot.height};

    svg_line(c->out, corner, (struct svg_point){c->plot.x + c->plot.width, corner.y}, "axis");
    svg_line(c->out, corner, (struct svg_point){corner.x, c->plot.y}, "axis");
    return svg_end(c->out);
}
