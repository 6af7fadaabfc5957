/* SPDX-License-Identifier: MIT */
/*
 * Numbers and texts put together into a line of a table: the kernel has no
 * printf, and the host must print the same digits.
 */
#include "probe/text/text_buf.h"

#include <stdint.h>

#include "probe/core/memory.h"

void line_char(struct line *l, char c)
{
    if (l->at < TEXT_BUF_SIZE - 1)
        l->text[l->at++] = c;
}

void line_text(struct line *l, const char *text)
{
    while (*text)
        line_char(l, *text++);
}

void line_right(struct line *l, const char *text, unsigned width)
{
    unsigned length = 0;

    while (text[length])
        length++;
    for (; length < width; length++)
        line_char(l, ' ');
    line_text(l, text);
}

/* n / 10 by halves of a word: a 32-bit kernel has no 64-bit division. */
static unsigned divide_by_10(uint64_t *n)
{
    uint64_t quotient = 0;
    uint32_t rest = 0;

    for (int shift = 48; shift >= 0; shift -= 16) {
        rest = rest << 16 | (uint32_t)(*n >> shift & 0xffff);
        quotient |= (uint64_t)(rest / 10) << shift;
        rest %= 10;
    }
    *n = quotient;
    return rest;
}

void format_number(char *out, uint64_t n, unsigned decimals, const char *sign)
{
    char back[FORMAT_DIGITS];
    unsigned length = 0;

    do {
        if (decimals && length == decimals)
            back[length++] = '.';
        back[length++] = (char)('0' + divide_by_10(&n));
    } while (n || length < decimals + (decimals > 0) + 1);
    while (*sign)
        *out++ = *sign++;
    while (length)
        *out++ = back[--length];
    *out = '\0';
}

void format_real(char *out, double x, unsigned decimals, const char *plus)
{
    double size = x < 0 ? -x : x;

    for (unsigned i = 0; i < decimals; i++)
        size *= 10.0;
    if (x == x && size < 9e18) /* within int64_t, whose conversion needs no library */
        format_number(out, (uint64_t)(int64_t)(size + 0.5), decimals,
                  x < 0 && size >= 0.5 ? "-" : plus);
    else
        memcpy(out, "n.a.", 5);
}

void line_number(struct line *l, uint64_t n)
{
    char digits[FORMAT_DIGITS];

    format_number(digits, n, 0, "");
    line_text(l, digits);
}

void line_real(struct line *l, double x, unsigned decimals)
{
    char digits[FORMAT_DIGITS];

    format_real(digits, x, decimals, "");
    line_text(l, digits);
}
