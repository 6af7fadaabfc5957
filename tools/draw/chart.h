/* SPDX-License-Identifier: MIT */
/* Declares how to draw as SVG: shapes and texts, scales, the frame of a chart, the axis of time.  Host only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/analysis/execution_time.h"
#include "tools/trace/time_grid.h"

/*
 * Writes SVG: shapes and texts with a class each.  The colours of the classes are in the file, for
 * light and for dark pages; the same calls give the same bytes.  Host only.
 *
 * Classes: "text", "small", "title", "axis", "grid", "paper"; "f0" to "f11" fill with a colour,
 * "s0" to "s11" draw lines with it; "lost" fills what is not known, "guilty" what is behind a row
 * that must not be missed; beside another class "bold" makes letters bold.
 */

#define SVG_COLOURS 12 /* they differ in grey and for eyes that do not tell red from green, the first eight best */

/* The class that fills with a colour; one past the last is the first again. */
const char *svg_fill(unsigned colour);

/* The same colours for a page: --c0 to --c11, --paper, --ink and --line, for light and for dark, as a style sheet. */
void svg_palette(FILE *out);

/* A length in px is written with one decimal. */
struct svg_point {
    double x, y;
};
struct svg_box {
    double x, y, width, height;
};

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* Begin a drawing of this size on `out`; `title` is what a reader that cannot see it is told. */
void svg_begin(FILE *out, double width, double height, const char *title);

/* End it.  False, if it could not be written. */
bool svg_end(FILE *out);

void svg_rect(FILE *out, struct svg_box box, const char *class);
/* Many boxes of one class, in few bytes. */
void svg_boxes(FILE *out, const struct svg_box *box, size_t boxes, const char *class);

void svg_line(FILE *out, struct svg_point from, struct svg_point to, const char *class);
/*
 * An error bar from one limit to the other, which may lie in any direction, with a cap at each; class: as of a line.
 */
void svg_whisker(FILE *out, struct svg_point low, struct svg_point high, const char *class);

void svg_circle(FILE *out, struct svg_point at, double radius, const char *class);

/* A line through the points, or the area that they enclose. */
void svg_polyline(FILE *out, const struct svg_point *point, size_t points, const char *class);
void svg_polygon(FILE *out, const struct svg_point *point, size_t points, const char *class);

/* Any text: what SVG would read as markup is escaped, what is not printable becomes '?'. */
void svg_text(FILE *out, struct svg_point at, enum svg_anchor anchor, const char *class, const char *text);

/* The same, turned by 90 degrees to be read from below to above. */
void svg_text_up(FILE *out, struct svg_point at, const char *class, const char *text);

/* About how wide a text of class "text" is, px: no reader's font is known here. */
double svg_text_width(const char *text);

/* Scales of charts: from values to places, with round numbers on the way. */
struct scale {
    double low, high; /* values, low < high; of a logarithmic scale above 0 */
    double from, to;  /* their places, in px or columns; `from` may be above `to` */
    bool logarithmic;
};

double scale_place(const struct scale *s, double value);

#define SCALE_TICKS 32

/*
 * At most `most` (2 to SCALE_TICKS) round values from low to high, in order, and how many; on a
 * logarithmic scale powers of ten.
 */
unsigned scale_ticks(const struct scale *s, unsigned most, double tick[SCALE_TICKS]);

/* A round number at or above `value`, for the end of a scale that begins at 0. */
double scale_top(double value);

/*
 * The frame of a chart: a title, a plot with scales and axes, a legend.  What is in the plot is drawn by its caller,
 * between chart_begin() and chart_end().
 */
struct chart {
    FILE *out;
    double width, height;            /* of the drawing, px */
    struct svg_box plot;             /* set by chart_begin() */
    struct scale x, y;               /* low, high and kind are the caller's; their places are set by chart_begin() */
    const char *title, *note;        /* the note is a second line in small letters; "": none */
    const char *x_name, *y_name;     /* "": none */
    double left;                     /* room for the names of rows or the numbers of the y axis, px */
    double right;                    /* room right of the plot, px */
    const struct chart_key *key;     /* the legend */
    unsigned keys;
};

struct chart_key {
    const char *name, *class; /* a class that fills */
};

/* Begin the drawing, with title, note and legend; the plot gets what is left. */
void chart_begin(struct chart *c);

/* Grid lines and numbers. */
void chart_x_axis(const struct chart *c);
void chart_y_axis(const struct chart *c);

/* The lines at the left and below, over what was drawn.  False, if the drawing could not be written. */
bool chart_end(const struct chart *c);

/* The axis of a grid's columns: seconds since the image started, in a unit that suits the stretch. */

/* Its scale, without places; `hz`: clock units in a second. */
struct scale time_axis_scale(const struct time_grid *grid, double hz, struct time_unit *unit);

/* Two lines for a terminal, `left` columns to the right: numbers, and the marks that they are for. */
void time_axis_print(const struct time_grid *grid, double hz, unsigned left, FILE *out);
