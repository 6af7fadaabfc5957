/* SPDX-License-Identifier: MIT */
/* A share as a bar of characters: its modes, and its interval. */
#pragma once

#include "probe/stats/table.h"

/* What a column of a bar shows, which is also its character; the letters are the modes'. */
enum live_mark {
    LIVE_NOTHING = ' ', LIVE_KERNEL = 'K', LIVE_SUPERVISOR = 'S', LIVE_USER = 'U', LIVE_INTERRUPT = 'I',
    LIVE_NO_MODE = '#', /* of a row whose samples have no modes */
    LIVE_LIMIT = '-', LIVE_ESTIMATE = '|',
};

#define LIVE_MARKS "KSUI#-| "

/*
 * Write `width` characters and a zero: `scale` percent fill them all.  Letters up to the lower limit of the 95 %
 * interval, or up to the share where it has none, each mode as many columns as its share of it; then dashes up to the
 * upper limit, with | at the share.  What is beyond the end is cut off.
 */
void live_bar(char *to, unsigned width, const struct table_row *row, double scale);
