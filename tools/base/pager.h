/* SPDX-License-Identifier: MIT */
/* Declares the terminal of a report: its width, whether it gets colours, and the pager before it.  Host. */
#pragma once

#include <stdbool.h>

enum pager_colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER }; /* in the order of PAGER_COLOURS */
#define PAGER_COLOURS "auto|always|never"

/* What the user asked for: --color, and --no-pager, which a command that never ends asks for too. */
void pager_set_colour(enum pager_colour colour);
void pager_disable(void);

/*
 * Where standard output is a terminal that can be moved on, from now on it goes through $PAGER, else less(1) where
 * there is one, with `-FRX` unless $LESS says otherwise: a report that fits on the screen stays there.
 */
void pager_begin(void);

/* At the end, after standard output was closed: wait for the pager to be left. */
void pager_end(void);

/*
 * The descriptor of the terminal that messages go to, also beside a pager that shows nothing yet; -1: there is none.
 */
int pager_terminal(void);

/* Columns of a line: COLUMNS of the environment, else of the terminal that the report is shown on; 0: neither is. */
unsigned pager_columns(void);

/* By --color; with auto where the report is shown on a terminal and NO_COLOR is not set. */
bool pager_has_colour(void);

/* Whether the locale of the environment writes block characters, which is UTF-8: else a picture is of ASCII. */
bool pager_has_blocks(void);

/* Whether TERM names a terminal whose cursor moves; false for "dumb" and none. */
bool pager_has_cursor(void);
