/* SPDX-License-Identifier: MIT */
/*
 * Parts of a line that is being read, and text that is being written, without
 * libc: what the configuration words are parsed and refused with.  Any context.
 */
#ifndef PROBE_TEXT_TEXT_SPAN_H
#define PROBE_TEXT_TEXT_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_MAX 0xffffffffu /* what a number above this is, is not told */

/* Part of a line: not ended by a zero. */
struct span {
    const char *at;
    size_t length;
};

/* Text that is being written: always ended, cut at its room. */
struct text_buf {
    char *at;
    size_t room; /* bytes left, the ending zero counted */
};

/* Append a character, a text, a number in decimal, hexadecimal with 0x, octal with 0. */
void buf_char(struct text_buf *out, char c);
void buf_text(struct text_buf *out, const char *text);
void buf_number(struct text_buf *out, uint64_t number);
void buf_hex(struct text_buf *out, uint64_t number);
void buf_octal(struct text_buf *out, uint64_t number);

/*
 * Append foreign bytes in quotes, at most 24 of them: what cannot be printed
 * becomes a question mark, for a terminal may see it.
 */
void buf_quoted(struct text_buf *out, struct span s);

/* Blank, tab, line end. */
bool span_is_separator(char c);

bool span_is(struct span s, const char *text);

/* The part before the first `end`, all of it where there is none. */
struct span span_until(struct span s, char end);

/* What follows the first `length` bytes. */
struct span span_after(struct span s, size_t length);

/*
 * Decimal digits alone, no leading zero; what is over `most`, at most 2^63-1, stays
 * above it.  The other has NUMBER_MAX for that.
 */
bool span_number_to(struct span s, uint64_t most, uint64_t *number);
bool span_number(struct span s, uint64_t *number);

/* 0x and one to sixteen hexadecimal digits. */
bool span_hex(struct span s, uint64_t *number);

/* Digits after 0x hexadecimal, after a leading 0 octal, else decimal: all of 64 bits. */
bool span_address(struct span s, uint64_t *address);

/* Whether an address is written in octal. */
bool span_is_octal(struct span s);

/* A whole text. */
struct span span_text(const char *text);

#endif
