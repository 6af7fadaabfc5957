/* SPDX-License-Identifier: MIT */
/* Declares the pictures that reports have: for a terminal, as numbers, and as SVG.  Host only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/trace/time_grid.h"

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
