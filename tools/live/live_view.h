/* SPDX-License-Identifier: MIT */
/* Declares the state of a live view, and what keys change in it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/live/live_code.h"
#include "tools/live/live_link.h"
#include "tools/live/live_run.h"
#include "tools/live/live_table.h"

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
