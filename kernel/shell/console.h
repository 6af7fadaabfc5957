/* SPDX-License-Identifier: MIT */
/*
 * The terminal of the shell: lines out, page by page, and keys in.  While it waits
 * it does PROBE's duties; nothing of it suspends another task.  Task PROBE.
 */
#ifndef KERNEL_SHELL_CONSOLE_H
#define KERNEL_SHELL_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

/* When the run ends, by the clock: nothing waits longer.  Before all others; kept, not copied. */
void console_until(const uint64_t *end);

/* Rows of a page; 0: answers do not wait. */
void console_rows(uint32_t rows);

/* Put bytes on the line, waiting for room. */
void console_put(const char *bytes, unsigned length);

/* An answer begins: its first line is the first one of a page. */
void console_begin(void);

/*
 * A line of it, without its end.  After a page it waits for a key: space shows
 * another, Enter another line, q and Ctrl-C nothing more.  `context`: unused.
 */
void console_line(void *context, const char *text);

/* When its first line was written, TSC; 0: none was. */
uint64_t console_began(void);

/* Whether the reader has had enough of the answer. */
bool console_enough(void);

/*
 * A key; false where none came before the clock reads `until`.  Where something
 * else is told meanwhile, `show` shows anew what stood in the row.
 */
bool console_key(uint64_t until, uint8_t *key, void (*show)(void));

/* Wait; false where Ctrl-C ends it before the clock reads `until`, or the run ends.  Other keys wait. */
bool console_wait(uint64_t until);

#endif
