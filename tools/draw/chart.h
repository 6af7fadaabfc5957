/* SPDX-License-Identifier: MIT */
/* Draws the frame of a chart: scales, axes, the axis of time, a legend.  Host only. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "tools/analysis/execution_time.h"
#include "tools/draw/svg.h"
#include "tools/trace/time_grid.h"

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

/* "A column is 1.50 ms", without an end. */
void time_axis_print_column(const struct time_grid *grid, double hz, FILE *out);

/* Two lines for a terminal, `left` columns to the right: numbers, and the marks that they are for. */
void time_axis_print(const struct time_grid *grid, double hz, unsigned left, FILE *out);
