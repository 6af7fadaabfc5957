/* SPDX-License-Identifier: MIT */
/* Draws the load over time: shares of each column of a grid, for a terminal, as numbers, and stacked as SVG. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/trace/time_grid.h"

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
