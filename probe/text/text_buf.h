/* SPDX-License-Identifier: MIT */
/*
 * The one builder of text and the one formatter of numbers, without libc and
 * without 64-bit division.  Context: task and host; what does not name a real
 * number uses no floating-point register and may be called anywhere.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define TEXT_BUF_SIZE 256 /* bytes of a line of a table, its end included */
#define FORMAT_DIGITS 24  /* bytes of a number: 22 octal digits, a sign and the end */

/* Text being built in memory of the caller's; what does not fit is cut off. */
struct text_buf {
    char *text; /* ended by a zero after each call that appends */
    size_t size, length; /* bytes, the end included; characters so far */
};

/* An initialiser: an empty text in this array. */
#define TEXT_BUF(array) { .text = (array), .size = sizeof(array), .length = 0 }

/* Begin again with an empty text. */
void buf_reset(struct text_buf *b);

/* Append a character, or a text. */
void buf_char(struct text_buf *b, char c);
void buf_text(struct text_buf *b, const char *text);

/* Append a text of `width` columns or more, with blanks before it (right) or behind it (left). */
void buf_right(struct text_buf *b, const char *text, unsigned width);
void buf_left(struct text_buf *b, const char *text, unsigned width);

/* Append blanks until the text has so many characters. */
void buf_pad(struct text_buf *b, size_t length);

/* Remove blanks at the end. */
void buf_trim(struct text_buf *b);

/* Put double quotes around the end of the text, from a character on, if a word would end there (span_next_word()). */
void buf_quote(struct text_buf *b, size_t from);

/* Append a number in decimal. */
void buf_number(struct text_buf *b, uint64_t n);

/* Append all texts of a list that ends with NULL: buf_parts(&b, "of ", DECIMAL(n), " bytes"). */
void buf_list(struct text_buf *b, const char *first, va_list others);
void buf_all(struct text_buf *b, const char *first, ...);
#define buf_parts(b, ...) buf_all(b, __VA_ARGS__, (const char *)0)

/* The same as one text that lives as long as the block it stands in; cut at TEXT_BUF_SIZE. */
const char *buf_joined(struct text_buf *b, const char *first, ...);
#define JOINED(...) \
    buf_joined(&(struct text_buf){ .text = (char[TEXT_BUF_SIZE]){ 0 }, .size = TEXT_BUF_SIZE }, __VA_ARGS__, \
               (const char *)0)

/* Write n, its last `decimals` digits after the point, `sign` before it; returns `out`. */
const char *format_number(char out[FORMAT_DIGITS], uint64_t n, unsigned decimals, const char *sign);

/*
 * Write `prefix` and n in digits of `bits` bits, 3 (octal) or 4 (hexadecimal): at least `digits` of
 * them, at most 22 characters in all where n needs fewer.  Returns `out`.
 */
const char *format_base(char out[FORMAT_DIGITS], const char *prefix, uint64_t n, unsigned bits, unsigned digits);

/*
 * Write a real number, rounded half away from zero; `plus` goes before what is not
 * negative.  "n.a." where x is not a number, or needs 64 bits.  Returns `out`.
 * Floating point: task PROBE, host.
 */
const char *format_real(char out[FORMAT_DIGITS], double x, unsigned decimals, const char *plus);

/* A number as a text that lives as long as the block it stands in. */
#define DECIMAL(n)        format_number((char[FORMAT_DIGITS]){0}, n, 0, "")
#define MILLI(n)          format_number((char[FORMAT_DIGITS]){0}, n, 3, "") /* n thousandths */
#define HEX(n)            format_base((char[FORMAT_DIGITS]){0}, "0x", n, 4, 1)
#define OCTAL(n)          format_base((char[FORMAT_DIGITS]){0}, "0", n, 3, 0)
#define REAL(x, decimals) format_real((char[FORMAT_DIGITS]){0}, x, decimals, "")
