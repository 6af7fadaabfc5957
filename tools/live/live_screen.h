/* SPDX-License-Identifier: MIT */
/*
 * Declares the screen of a live view, by ncurses: it is drawn, and keys are read.  It is put back at every exit,
 * also by signals.  What is printed on standard error meanwhile is kept for the last line.
 */
#pragma once

#include <stdbool.h>

#include "tools/live/live_run.h"
#include "tools/live/live_view.h"

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
