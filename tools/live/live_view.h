/* SPDX-License-Identifier: MIT */
/* Declares what a live view shows: rows, lines, the code of a task, the state that keys change, the screen. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/table.h"
#include "probe/stats/table_sort.h"
#include "probe/stats/zoom.h"
#include "tools/analysis/profile.h"
#include "tools/archive/recorder.h"
#include "tools/model/stream_model.h"
#include "tools/serve/line_history.h"
#include "tools/stream/stream_reader.h"
#include "tools/symbols/symbol_resolver.h"
#include "tools/talk/command_client.h"

/* Declares what a live view knows: the run, its newest raw samples, and the line or file from which both come. */

/*
 * A run as a live view sees it: the last snapshot, and what happened since the one before.  Raw
 * samples and changes are not kept, and memory does not grow with the stream, whatever it holds.
 */

#define LIVE_TEXT 160 /* bytes of a sentence, its end included */

struct live_run {
    struct model model;     /* of the stream since `forgot`, without what grows with the run */
    struct stream_preface preface; /* what a model that begins anew is given */
    uint64_t forgot, heard; /* byte of the stream where the model began; bytes so far */

    bool has_whole, has_last;
    bool baseless;          /* no table yet, and what came only tells what changed since one */
    uint64_t epoch;         /* of `whole` */
    uint64_t epochs;        /* that began so far */
    uint64_t snapshots;     /* that arrived whole so far */
    struct snapshot *whole, *last, *before; /* since the epoch began; since the snapshot before; that one */
    struct table_options options; /* of both tables: the estimator of the epoch's policy */
    struct wire_hello hello; /* of the epoch; its texts are not valid */
    char source[16], policy[16]; /* of its ticks; "" where they are not told */
    char words[CONFIG_LINE];     /* its configuration */
    double mean;             /* interval of the ticks, clock units; 0: not known */
    /* of tick=A,B the source whose table is not shown, and where it differs most; "" there is none */
    char beside[LIVE_TEXT];
    uint64_t beside_of;      /* which of its snapshots that is of; 0: none */

    bool ended, ended_well;
    char reason[LIVE_TEXT];  /* of the end */
    char health[LIVE_TEXT];  /* of the source, as the image found it; "" not told */
    char said[LIVE_TEXT];    /* the image's last warning or error; "" none */
};

void live_run_init(struct live_run *r);
void live_run_free(struct live_run *r);

/* Take an event of the decoder.  True: another snapshot is in `whole`. */
bool live_run_add_event(struct live_run *r, const struct stream_event *event);

/* The epoch of `whole` as long as the model holds it, with its snapshot; NULL: it was forgotten. */
struct epoch *live_run_epoch(struct live_run *r);

/*
 * Copy the two tables of `r` and what they need; `to` is all zeros or such a copy, and is freed by live_run_free().
 */
void live_run_copy(struct live_run *to, const struct live_run *r);

/* Seconds of the run that `whole` is of, or `last`; 0 where the clock's rate is not known. */
double live_run_seconds(const struct live_run *r, const struct snapshot *s);

/*
 * The raw samples of the newest part of a live view's stream, kept as the frames that they came in, so that the code
 * of any task can be told.  Memory is bounded: half a megabyte to one, by tools/serve/line_history.h.
 */

/* All zeros at first. */
struct live_samples {
    struct stream_preface preface;
    struct line_history history;
    bool any; /* frames of samples came */
};

/* Keep an event's frame where it belongs to raw samples. */
void live_samples_add_event(struct live_samples *s, const struct stream_event *event);

/*
 * Read what is kept into a model of zeros, which the caller frees; its epoch `id` with the samples added up, or NULL:
 * it has none.  `told` of these counts from the first that is kept.
 */
struct epoch *live_samples_read(const struct live_samples *s, struct model *m, uint64_t id);

void live_samples_free(struct live_samples *s);

#define LIVE_COMMANDS 8 /* that may wait for the one before */

struct live_link {
    struct command_client client; /* port, baud and timeout are the caller's */
    struct live_run *run;    /* the caller's: gets the events */
    struct live_samples *samples; /* the caller's: gets them too; NULL: none */
    bool is_file, follows;   /* `follows` is the caller's: a pipe's or file's end is not the view's */

    /* the rest is private to live_link.c, but may be read */
    struct stream_source file;
    struct frame_decoder decoder; /* of a file */
    bool at_end;             /* of a file: nothing more now */
    bool attached, attaching; /* which boot listens is known, or asked for */
    bool gone;               /* the line ended */
    double heard, reopen;    /* wall clock of the last bytes; when the line is opened again, s */
    uint64_t bytes;          /* that `heard` is of */
    unsigned long reopened;  /* how often that was done */
    unsigned waiting;        /* commands that wait */
    char command[LIVE_COMMANDS][COMMAND_LINE];
    char answer[LIVE_TEXT];  /* the last one, or why there is none */
};

/* Open client.port.  False, with a message. */
bool live_link_open(struct live_link *l);
void live_link_close(struct live_link *l);

/* Read for `ms` milliseconds at most, and do what is due.  True: a snapshot came. */
bool live_link_serve(struct live_link *l, int ms);

/*
 * Have the image run a command, after those that wait; false, with the reason in `answer`,
 * for a file or if too many wait.
 */
bool live_link_command(struct live_link *l, const char *line);

/* Type "output frames", as a person would at an open shell. */
void live_link_to_frames(struct live_link *l);

/* Ask anew which boot listens. */
void live_link_attach(struct live_link *l);

const struct stream_stats *live_link_stats(const struct live_link *l);

/*
 * What the line is doing, as a part of a sentence: "live", "silent for 12 s", "the line ended,
 * opened again each second".
 */
void live_link_state(const struct live_link *l, char to[LIVE_TEXT]);

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
