/* SPDX-License-Identifier: MIT */
/*
 * Makes what HTTP tells of lines: all of them as one OpenMetrics text and as a page with links, and each as the page
 * of `cpuprobe report` of a line that goes on, with the events that bring it newer data.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "tools/serve/line_history.h"
#include "tools/serve/line_mux.h"
#include "tools/serve/line_watch.h"
#include "tools/serve/shared_text.h"

/*
 * The page of a line and the event that brings it to who has an older one, as they are and packed: made once of the
 * same data.  A child process makes them, so that no line waits for those of another, whatever that one sends.
 */
enum page_text {PAGE_PLAIN, PAGE_PACKED, EVENT_PLAIN, EVENT_PACKED, PAGE_TEXTS};

struct page_key {
    uint64_t epoch, serial, boots, ends, hangups;
};

struct line_page {
    struct shared_text *text[PAGE_TEXTS]; /* NULL, all of them: none was made */
    uint64_t version; /* how many were made */
    uint64_t tries;   /* and how often that ended, well or not */
    struct page_key key; /* of the last try */
    double next;      /* no other before: shared_text_until(), of its making and its sending */
    unsigned sent;    /* pieces of events, in this turn */
    struct {
        pid_t child;  /* 0: none */
        int file;     /* for what it makes */
        struct page_key key;
        double begun;
    } making;
};

/* A line, the newest part of its stream and, where clients may use it too, its socket. */
struct served_line {
    struct line_watch watch;
    struct line_history history;
    struct line_page page;
    struct line_mux mux;
    bool shared;
};

/* The text, which ends with its mark. */
void line_metrics_put(FILE *out, struct served_line *line, size_t lines);

/* A page for a person: of each line a link to its own, its state, how much came. */
void line_metrics_page(FILE *out, struct served_line *line, size_t lines);

#define LIVE_PAGES  "/lines/"  /* a line's number follows: its place on the command line, from 0 */
#define LIVE_EVENTS "/events"  /* behind that: the events of its page */

/* With what the page of a line changes; `e` is its newest epoch. */
struct page_key line_page_key(const struct line_watch *l, const struct epoch *e);

/* The data of its page, for the caller to release; NULL: it has no table yet. */
json_t *line_data_json(struct served_line *line);

/* Make the texts of what the line has; false: it has no table yet. */
bool live_page_make(struct shared_text *text[PAGE_TEXTS], struct served_line *line, unsigned number);

/*
 * What stands before the first EVENT_PACKED, each of which can follow any other, and a packed comment, which may
 * stand between two.
 */
extern struct shared_text live_page_head, live_page_alive;

/* Have the page of a line made anew if it is due.  False: it is as it is; true: it comes, and `tries` tells when. */
bool line_page_comes(struct served_line *line, size_t lines, size_t number);

/* Take a page that was made since; the reason why it was not, or NULL. */
const char *line_page_serve(struct line_page *p);

/* What was sent of it took so many seconds of processor time. */
void line_page_charge(struct line_page *p, double seconds);

/* Leave its texts, and end a making. */
void line_page_free(struct line_page *p);
