/* SPDX-License-Identifier: MIT */
/* Lays out a chart: the title above, the legend below it in as many lines as it takes, the axes around the plot. */
#include "tools/draw/chart.h"

#include <string.h>

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
