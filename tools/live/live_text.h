/* SPDX-License-Identifier: MIT */
/* The lines of a live view as plain text, for any width; colours and bars' attributes are the screen's. */
#pragma once

#include <stddef.h>

#include "tools/live/live_link.h"
#include "tools/live/live_table.h"

#define LIVE_LINE 512 /* bytes of a line, its end included: no terminal is used wider */

/* Which columns fit. */
struct live_columns {
    bool limits;  /* intervals beside the shares */
    bool exact;   /* the exact share since the start, and the error */
    bool modes;   /* the share of each mode in the last interval */
    unsigned bar_at, bar; /* where the bar begins, and its width; 0: there is none */
};

struct live_columns live_columns_of(unsigned width);

/* The lines above the table: title and state; source and health; samples and losses; the line. */
enum live_head { LIVE_HEAD_TITLE, LIVE_HEAD_SOURCE, LIVE_HEAD_SAMPLES, LIVE_HEAD_LINE, LIVE_HEADS };
void live_text_head(char to[LIVE_LINE], enum live_head line, const struct live_link *l);

/* Whether this line tells of something lost, damaged or ended badly. */
bool live_text_is_alarm(enum live_head line, const struct live_link *l);

/* The headings of the columns, and a row; `scale` as for live_bar(). */
void live_text_columns(char to[LIVE_LINE], const struct live_columns *c, const struct live_table *t, double scale);
void live_text_row(char to[LIVE_LINE], const struct live_columns *c, const struct live_table *t,
                   const struct live_row *row, double scale);

/* The same of one mode of a row, without a bar. */
void live_text_mode(char to[LIVE_LINE], const struct live_columns *c, const struct live_row *row, enum mode mode);
