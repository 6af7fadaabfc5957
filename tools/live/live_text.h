/* SPDX-License-Identifier: MIT */
/* Formats a live view as plain text, for any width: bars and lines; colours and bars' attributes are the screen's. */
#pragma once

#include <stdbool.h>

#include "probe/stats/table.h"
#include "tools/live/live_link.h"
#include "tools/live/live_table.h"

/* What a column of a bar shows, which is also its character; the letters are the modes'. */
enum live_mark {
    LIVE_NOTHING = ' ', LIVE_KERNEL = 'K', LIVE_SUPERVISOR = 'S', LIVE_USER = 'U', LIVE_INTERRUPT = 'I',
    LIVE_NO_MODE = '#', /* of a row whose samples have no modes */
    LIVE_LIMIT = '-', LIVE_ESTIMATE = '|',
};

/*
 * Write `width` characters and a zero: `scale` percent fill them all.  Letters up to the lower limit of the 95 %
 * interval, or up to the share where it has none, each mode as many columns as its share of it; then dashes up to the
 * upper limit, with | at the share.  What is beyond the end is cut off.
 */
void live_bar(char *to, unsigned width, const struct table_row *row, double scale);

#define LIVE_LINE 512 /* bytes of a line, its end included: no terminal is used wider */

/* Which columns fit. */
struct live_columns {
    bool limits;  /* intervals beside the shares */
    bool exact;   /* the exact share since the start, and the error */
    bool modes;   /* the share of each mode in the last interval */
    unsigned bar_at, bar; /* where the bar begins, and its width; 0: there is none */
};

struct live_columns live_columns_of(unsigned width);

/*
 * The lines above the table: title and state; source and health; samples and losses; the line; what the table since
 * the start means.
 */
enum live_head {
    LIVE_HEAD_TITLE, LIVE_HEAD_SOURCE, LIVE_HEAD_SAMPLES, LIVE_HEAD_LINE, LIVE_HEAD_VERDICT, LIVE_HEADS
};
void live_text_head(char to[LIVE_LINE], enum live_head line, const struct live_link *l);

/* Whether this line tells of something lost, damaged or ended badly. */
bool live_text_is_alarm(enum live_head line, const struct live_link *l);

/* The headings of the columns, and a row; `scale` as for live_bar(). */
void live_text_columns(char to[LIVE_LINE], const struct live_columns *c, const struct live_table *t, double scale);
void live_text_row(char to[LIVE_LINE], const struct live_columns *c, const struct live_table *t,
                   const struct live_row *row, double scale);

/* The same of one mode of a row, without a bar. */
void live_text_mode(char to[LIVE_LINE], const struct live_columns *c, const struct live_row *row, enum mode mode);

/*
 * The line below the table, of which `shown` rows from `first` on are there: how busy the machine is, in the last
 * interval where that is known, and how many tasks are not shown.
 */
void live_text_rest(char to[LIVE_LINE], const struct live_run *r, const struct live_table *t, unsigned first,
                    unsigned shown);

/* Cut a line to `width` columns, between two words. */
void live_text_cut(char line[LIVE_LINE], unsigned width);
