/* SPDX-License-Identifier: MIT */
/* Numbers stand at the mark that they belong to, with room for the longest. */
#include "tools/draw/time_axis.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

#define LABEL_ROOM 14 /* columns between two numbers at least */
#define LABEL_MOST 24

struct scale time_axis_scale(const struct time_grid *grid, double hz, struct time_unit *unit)
{
    const double from = (double)grid->from / hz, to = (double)grid->to / hz;

    *unit = time_unit_of(to - from);
    return (struct scale){.low = from / unit->seconds, .high = to / unit->seconds};
}

static unsigned ticks_in(unsigned columns)
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
    const unsigned ticks = scale_ticks(&scale, ticks_in(columns), tick);
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
