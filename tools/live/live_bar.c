/* SPDX-License-Identifier: MIT */
/* Fills the columns of a bar, from left to right. */
#include "tools/live/live_bar.h"

#include <math.h>
#include <string.h>

static const struct {
    enum mode mode;
    enum live_mark mark;
} parts[MODES] = {
    {MODE_KERNEL, LIVE_KERNEL},
    {MODE_SUPERVISOR, LIVE_SUPERVISOR},
    {MODE_USER, LIVE_USER},
    {MODE_INTERRUPT, LIVE_INTERRUPT},
};

struct axis {
    unsigned width;
    double scale;
};

static unsigned column(const struct axis *a, double percent)
{
    const double at = floor(percent / a->scale * a->width + 0.5);

    return !(at > 0.0) ? 0 : at >= a->width ? a->width : (unsigned)at;
}

/* The modes side by side; what rounding leaves out is in the next one. */
static void put_modes(char *to, const struct axis *a, const struct table_row *row)
{
    double sum = 0.0;
    unsigned at = 0;

    for (unsigned i = 0; i < MODES; i++) {
        const struct table_cell *cell = &row->cell[parts[i].mode];

        sum += cell->hits ? cell->percent : 0.0;
        for (; at < column(a, sum); at++)
            to[at] = (char)parts[i].mark;
    }
}

static void put_interval(char *to, const struct axis *a, const struct table_cell *total)
{
    const unsigned low = column(a, total->low), high = column(a, total->high), at = column(a, total->percent);

    if (isnan(total->low))
        return;
    for (unsigned i = low; i < high; i++)
        to[i] = (char)LIVE_LIMIT;
    if (at < a->width)
        to[at] = (char)LIVE_ESTIMATE;
}

void live_bar(char *to, unsigned width, const struct table_row *row, double scale)
{
    const struct axis a = {width, scale};

    memset(to, ' ', width);
    to[width] = '\0';
    if (!row->total.hits)
        return;
    if (row->modes)
        put_modes(to, &a, row);
    else
        memset(to, (char)LIVE_NO_MODE, column(&a, row->total.percent));
    put_interval(to, &a, &row->total);
}
