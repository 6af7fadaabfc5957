/* SPDX-License-Identifier: MIT */
/*
 * Draws a Gantt chart of a grid: a line a row, time to the right, in each column the state with the greatest
 * share.  For a terminal and as SVG.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/trace/time_grid.h"

/* How a state looks. */
struct gantt_state {
    const char *name;
    const char *class;  /* in SVG, as in svg.h */
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
