/* SPDX-License-Identifier: MIT */
/*
 * A line of text being put together, and the digits of numbers, without libc
 * and without 64-bit division.  Task and host context; real numbers use
 * floating point.
 */
#ifndef PROBE_TEXT_TEXT_BUF_H
#define PROBE_TEXT_TEXT_BUF_H

#include <stdint.h>

#define TEXT_BUF_SIZE   256 /* what does not fit is cut off */
#define FORMAT_DIGITS 24  /* 20 digits, a point, a sign and the end */

struct line {
    unsigned at; /* length so far; the text is not ended by a zero */
    char text[TEXT_BUF_SIZE];
};

/* Append a character, a text, a text set to the right of `width` places, a number. */
void line_char(struct line *l, char c);
void line_text(struct line *l, const char *text);
void line_right(struct line *l, const char *text, unsigned width);
void line_number(struct line *l, uint64_t n);
void line_real(struct line *l, double x, unsigned decimals);

/* Write n, its last `decimals` digits after the point; `out` has FORMAT_DIGITS bytes. */
void format_number(char *out, uint64_t n, unsigned decimals, const char *sign);

/*
 * The same of a real number, rounded half away from zero; `plus` goes before
 * what is not negative.  "n.a." where x is not a number, or needs 64 bits.
 */
void format_real(char *out, double x, unsigned decimals, const char *plus);

#endif
