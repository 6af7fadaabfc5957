/* SPDX-License-Identifier: MIT */
/*
 * Parts of a line that is being read, without libc: what configuration words and
 * commands are parsed with.  Any context.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/text/text_buf.h"

#define NUMBER_MAX 0xffffffffu /* span_number() gives this + 1 for any larger number */

/* Part of a line: not ended by a zero. */
struct span {
    const char *at;
    size_t length;
};

/* Append part of a line. */
void buf_span(struct text_buf *out, struct span s);

/*
 * Append foreign bytes in quotes, at most 24 of them.  What cannot be printed becomes
 * a question mark: a terminal would obey control characters.
 */
void buf_quoted(struct text_buf *out, struct span s);

/* Blank, tab, line end. */
bool span_is_separator(char c);

bool span_is(struct span s, const char *text);

/* The part before the first `end`; all of it where there is none. */
struct span span_until(struct span s, char end);

/* What follows the first `length` bytes. */
struct span span_after(struct span s, size_t length);

/*
 * Decimal digits only, no leading zero.  False where it is no number.  A number over
 * `most` (at most 2^63-1) is given as most + 1.  span_number(): `most` is NUMBER_MAX.
 */
bool span_number_to(struct span s, uint64_t most, uint64_t *number);
bool span_number(struct span s, uint64_t *number);

/* 0x and one to sixteen hexadecimal digits. */
bool span_hex(struct span s, uint64_t *number);

/* As C has it: 0x is hexadecimal, a leading 0 octal, else decimal; up to 64 bits. */
bool span_address(struct span s, uint64_t *address);

/* Whether an address is written in octal. */
bool span_is_octal(struct span s);

/*
 * The next word of a line, and *line past it: separators stand between words, and from `#` on the rest is a
 * comment up to the end of its line.  Between double quotes, which stay in the word, blanks, tabs and `#` are
 * part of it; a quote that is not closed ends with the line.  False where none is left.
 */
bool span_next_word(const char **line, struct span *word);

/* Without the double quotes that it begins and ends with, if it does. */
struct span span_unquoted(struct span s);

/* A whole text. */
struct span span_text(const char *text);
