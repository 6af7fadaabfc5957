/* SPDX-License-Identifier: MIT */
/* Declares how to draw as SVG: shapes and texts, scales, the frame of a chart, the axis of time.  Host only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/analysis/execution_time.h"
#include "tools/trace/class_sequence.h"

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

/* Declares the pictures that reports have: for a terminal, as numbers, and as SVG.  Host only. */

/*
 * A Gantt chart of a grid: a line a row, time to the right, in each column the state with the
 * greatest share.  For a terminal and as SVG.
 */

/* How a state looks. */
struct gantt_state {
    const char *name;
    const char *class;  /* in SVG, as in chart.h */
    const char *glyph;  /* in a terminal: one column, UTF-8 */
    char letter;        /* the same in ASCII */
    unsigned colour;    /* the same, number of an ANSI colour, 30 to 37 or 90 to 97 */
};

#define GANTT_NAME 14 /* characters of a row's name that are printed */

struct gantt {
    const struct time_grid *grid;
    char (*name)[GANTT_NAME + 1];    /* of each row of the grid */
    size_t rows;                     /* how many of them are drawn */
    struct gantt_state state[GRID_STATES]; /* what does not occur is not in the legend */
    size_t guilty;                   /* the row that must not be missed; `rows`: none does */
    double hz;                       /* clock units in a second */
    const char *title;
    bool ascii, colour;              /* in a terminal */
    double width;                    /* as SVG, px */
};

/* Characters of a line beside its columns. */
#define GANTT_BESIDE (GANTT_NAME + 1 + 8)

void gantt_print(const struct gantt *g, FILE *out);

/* Of a struct gantt, as all that output_to_file() takes.  False, if it could not be written. */
bool gantt_svg(const void *gantt, FILE *out);

/*
 * A Kiviat graph (Kolence and Kiviat, "Software unit profiles and Kiviat figures", 1973): an axis a
 * quantity, from one centre, and a polygon a run.  As SVG, and its numbers for a terminal.
 */

#define KIVIAT_AXES_LEAST 3
#define KIVIAT_AXES       12
#define KIVIAT_RUNS       8 /* so many colours differ well */

struct kiviat_value {
    double value, low, high; /* 0 or more, in percent; NaN: not known */
};

struct kiviat {
    const char *title;
    unsigned axes, runs;
    const char *axis[KIVIAT_AXES];
    const char *run[KIVIAT_RUNS];
    struct kiviat_value of[KIVIAT_RUNS][KIVIAT_AXES];
    bool one_scale; /* of all axes; else each axis ends at a round number above its own values */
};

/* A line an axis: the value of each run, and its limits. */
void kiviat_print(const struct kiviat *k, FILE *out);

/* False, if it could not be written. */
bool kiviat_svg(const void *kiviat, FILE *out);

/* The load over time: shares of each column of a grid, for a terminal, as numbers, and stacked as SVG. */

#define LOAD_ROWS   11 /* rows with a colour of their own */
#define LOAD_NAME   14 /* characters of a row's name */
#define LOAD_BESIDE (LOAD_NAME + 1 + 16)

struct load_chart {
    const struct time_grid *grid;
    size_t row[LOAD_ROWS];           /* rows of the grid that are told one by one, the longest first */
    char name[LOAD_ROWS][LOAD_NAME + 1];
    size_t rows;
    const struct grid_row *idle;     /* NULL: there is none */
    const uint64_t *known;           /* of each column the time of all tasks and of IDLE, clock units */
    double hz;
    const char *title;
    bool ascii;                      /* in a terminal */
    double width;                    /* as SVG, px */
};

/* The load of a column: the tasks' part of its known time, from 0 to 1; below 0 where nothing is known. */
double load_of_column(const struct load_chart *c, unsigned column);

/* The same of row `i` of the chart. */
double load_of_row(const struct load_chart *c, size_t i, unsigned column);

/* The same of all tasks that no row of the chart tells. */
double load_of_others(const struct load_chart *c, unsigned column);

void load_chart_print(const struct load_chart *c, FILE *out);

/* A line a column: when it begins, the load, each row's, the others', all in percent. */
void load_chart_table(const struct load_chart *c, FILE *out);

bool load_chart_svg(const void *chart, FILE *out);

/*
 * Monitors by temporal resolution, duration of measurement and amount of data (Thurner, "Performance
 * Measurement Using System Monitors", Figure 1), with measured figures.
 */

#define MONITOR_MAP_MOST 64

struct map_monitor {
    const char *name;
    bool hardware;
    double step;     /* s: temporal resolution, above 0 */
    double duration; /* s until the memory is full, above 0 */
    double bytes;    /* a second */
};

struct monitor_map {
    const char *title, *note;
    struct map_monitor monitor[MONITOR_MAP_MOST];
    unsigned monitors;
};

/* Draw it.  False, if it could not be written. */
bool monitor_map_svg(const struct monitor_map *m, FILE *out);

/*
 * A tree with a share at each node, drawn to the right (Thurner, figure 7).  For a terminal and as SVG.
 */
struct tree_node {
    char label[32];
    size_t parent; /* index; of node 0, the root, void.  A node stands behind its parent */
    double share;  /* 0 to 1 */
    bool leaf;
};

struct tree_chart {
    const char *title;
    const struct tree_node *node;
    size_t nodes; /* at most TREE_NODES */
};

#define TREE_NODES 128

void tree_chart_print(const struct tree_chart *t, FILE *out, bool ascii);

/* False, if it could not be written. */
bool tree_chart_svg(const struct tree_chart *t, FILE *out);
