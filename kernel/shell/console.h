/* SPDX-License-Identifier: MIT */
/*
 * The terminal of the shell: prints lines page by page and reads keys.  While it waits it serves the rings of
 * PROBE; it never suspends another task.  Task PROBE.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The end of the run, TSC: no wait is longer.  Call it first; the pointer is kept. */
void console_until(const uint64_t *end);

uint64_t console_end(void);

/* Rows of a page; 0: no pages.  What was set. */
void console_rows(uint32_t rows);
uint32_t console_page(void);

/* Put bytes on the line, waiting for room. */
void console_put(const char *bytes, unsigned length);

/* Put a text into the row of the cursor, in the place of what is there; "" clears it.  No line begins. */
void console_row(const char *text);

/* Begin an answer, on a new page. */
void console_begin(void);

/*
 * Print a line of the answer, given without its end.  After a page it waits for a key: space prints another
 * page, Enter another line, q and Ctrl-C nothing more.  `context` is unused.
 */
void console_line(void *context, const char *text);

/* When the first line of the answer was printed, TSC; 0: none was. */
uint64_t console_began(void);

/* Whether the user ended the answer with q or Ctrl-C. */
bool console_enough(void);

/*
 * Wait for a key; false if none came until the TSC reads `until`.  If a message is printed meanwhile, `show`
 * prints again what was in the row.
 */
bool console_key(uint64_t until, uint8_t *key, void (*show)(void));

/*
 * Wait until the TSC reads `until` or the run ends; false if Ctrl-C came.  Other keys are kept.  A message that is
 * printed meanwhile takes the place of what is in the row.
 */
bool console_wait(uint64_t until);
