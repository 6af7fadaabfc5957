/* SPDX-License-Identifier: MIT */
/*
 * The frame of a chart: a title, a plot with scales and axes, a legend.  What is in the plot is
 * drawn by its caller with tools/draw/svg.h, between chart_begin() and chart_end().  Host only.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "tools/draw/scale.h"
#include "tools/draw/svg.h"

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
