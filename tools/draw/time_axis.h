/* SPDX-License-Identifier: MIT */
/* The axis of a grid's columns: seconds since the image started, in a unit that suits the stretch.  Host only. */
#pragma once

#include <stdio.h>

#include "tools/analysis/execution_time.h"
#include "tools/draw/scale.h"
#include "tools/trace/time_grid.h"

/* Its scale, without places; `hz`: clock units in a second. */
struct scale time_axis_scale(const struct time_grid *grid, double hz, struct time_unit *unit);

/* Two lines for a terminal, `left` columns to the right: numbers, and the marks that they are for. */
void time_axis_print(const struct time_grid *grid, double hz, unsigned left, FILE *out);
