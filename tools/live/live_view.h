/* SPDX-License-Identifier: MIT */
/* Declares what a live view shows: rows, lines, the code of a task, the state that keys change, the screen. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/table.h"
#include "probe/stats/table_sort.h"
#include "probe/stats/zoom.h"
#include "tools/analysis/profile.h"
#include "tools/live/live_link.h"
#include "tools/symbols/symbol_resolver.h"

/* A share as a bar of characters: its modes, and its interval. */

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

/*
 * The rows of a live view: each task's shares of the last interval and since the start, sorted and
 * filtered.  It draws nothing and asks nobody.
 */

#define LIVE_FILTER 32 /* bytes of a filter, its end included */

struct live_choice {
    enum table_order order;
    bool by_whole;            /* sorted by shares since the start, not by those of the last interval */
    char filter[LIVE_FILTER]; /* part of a name, in upper or lower case; "" all */
};

struct live_row {
    uint32_t id;
    char name[NAME_SIZE];     /* printable */
    struct table_row last, whole; /* `row` of both is NULL */
};

struct live_table {
    unsigned rows, hidden;    /* shown; left out by the filter */
    bool has_last;            /* the columns of the last interval are known */
    struct live_row row[SNAPSHOT_ROWS];
};

/* Make the rows of the last snapshot.  Rows that are no tasks come last, and only where they have samples. */
void live_table_make(struct live_table *t, const struct live_run *r, const struct live_choice *c);

/* The place of the row of this id; `rows` where there is none. */
unsigned live_table_find(const struct live_table *t, uint32_t id);

/* The largest share of the rows' bars, percent: 1, 2, 5, 10, 20, 50 or 100, that no limit of a task is above. */
double live_table_scale(const struct live_table *t);

/*
 * Where in its code a task of a live view spends its time: functions and histogram of the region that
 * the image watches for it, else of the raw samples that are kept, and the steps of a zoom, which ask the image to
 * watch another region.
 */

#define LIVE_CODE_LINES     128 /* of a report; what is more is left out, and told */
#define LIVE_CODE_FUNCTIONS 12  /* of these */

struct live_code {
    struct symbol_resolver *names; /* the caller's */
    char line[LIVE_CODE_LINES][TEXT_BUF_SIZE];
    unsigned lines;

    /* the rest is private to live_code.c */
    uint64_t chosen_epoch;   /* for which `names` were chosen, and for which task; 0: for none */
    uint32_t chosen_task;
    bool zooming;
    uint32_t zoom_task;
    enum mode zoom_mode;
    struct zoom zoom;
    char before[COMMAND_LINE]; /* the command that restores the monitors; "" nothing to restore */
};

/* Make the lines for a task, as wide as the screen; where nothing tells its code, one that says so. */
void live_code_make(struct live_code *c, struct live_link *l, uint32_t task, unsigned columns);

/*
 * The next step: watch all code of this task in the mode that has most of its samples, then the part of it that
 * has the hits of the region that is watched.  False, with a sentence in `why`, if there is no next step.
 */
bool live_code_zoom(struct live_code *c, struct live_link *l, uint32_t task, char why[LIVE_TEXT]);

/* Put back the monitors that were in force before the first step. */
void live_code_restore(struct live_code *c, struct live_link *l);

/* The lines of a live view as plain text, for any width; colours and bars' attributes are the screen's. */

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

/* Keys that are no characters. */
enum live_key {
    LIVE_KEY_NONE = -1, LIVE_KEY_UP = 256, LIVE_KEY_DOWN, LIVE_KEY_PAGE_UP, LIVE_KEY_PAGE_DOWN, LIVE_KEY_HOME,
    LIVE_KEY_END, LIVE_KEY_BACKSPACE, LIVE_KEY_ENTER, LIVE_KEY_ESCAPE, LIVE_KEY_RESIZE,
};

/* A line that is being typed. */
enum live_prompt { LIVE_NO_PROMPT, LIVE_FILTERS, LIVE_RATE, LIVE_SOURCE, LIVE_POLICY, LIVE_COMMAND };

struct live_view {
    struct live_link *link;   /* the caller's */
    struct live_run kept;     /* the tables at which it was paused; all zeros: never */
    struct live_choice choice;
    struct live_table table;  /* of the last snapshot, or the one at which it was paused */
    struct live_code code;
    uint32_t selected;        /* row id; 0: none yet */
    unsigned top, code_top;   /* first row and first line that are shown */
    unsigned page;            /* rows that were shown last */
    unsigned columns;         /* of the screen */
    bool paused, help, detail, quit;
    enum live_prompt prompt;
    char typed[COMMAND_LINE];
    char message[LIVE_TEXT];  /* the answer to the last key; "" none */
};

/* Do what a key asks for. */
void live_view_key(struct live_view *v, int key);

/* Make what is shown anew, of the last snapshot, unless it is paused. */
void live_view_update(struct live_view *v);

/* "filter: " and so on; "" for LIVE_NO_PROMPT. */
const char *live_view_prompt(enum live_prompt prompt);

/* What help shows, line by line; NULL past the last. */
const char *live_view_help(unsigned line);

/* A live view without a screen: sorted tables as plain lines, for a pipe or a file. */
struct live_tables {
    struct live_link *link;     /* the caller's */
    struct live_choice choice;
    unsigned long rows, number; /* rows of a table, tables in all; 0: all */
};

/*
 * Print a table on standard output for each snapshot, at most one a second, until `number` were printed, the
 * line or the run ends, a file has been read, or a signal comes.  Returns an enum exit_code.
 */
int live_tables_print(const struct live_tables *t);

/*
 * The screen of a live view, by ncurses: draws it, and reads keys.  It is put back at every exit, also
 * by signals.  What is printed on standard error meanwhile is kept for the last line.
 */

/*
 * Begin on the terminal of standard output, with colours if it has them and NO_COLOR is not set.
 * False, with a message.
 */
bool live_screen_open(void);

/* Put the terminal back; nothing if it is not open. */
void live_screen_close(void);

void live_screen_draw(struct live_view *v);

/* The next key that waits: a character or an enum live_key; LIVE_KEY_NONE: there is none. */
int live_screen_key(void);

/* The last line that was printed on standard error since the last call; false: none. */
bool live_screen_error(char to[LIVE_TEXT]);
