/* SPDX-License-Identifier: MIT */
/* Text and digits.  The kernel has no printf, and the host must print the same. */
#include "probe/text/text_buf.h"

void buf_reset(struct text_buf *b)
{
    b->length = 0;
    b->text[0] = '\0';
}

void buf_char(struct text_buf *b, char c)
{
    if (b->length + 1 < b->size)
        b->text[b->length++] = c;
    b->text[b->length] = '\0';
}

void buf_text(struct text_buf *b, const char *text)
{
    while (*text)
        buf_char(b, *text++);
}

void buf_pad(struct text_buf *b, size_t length)
{
    while (b->length < length && b->length + 1 < b->size)
        buf_char(b, ' ');
}

void buf_right(struct text_buf *b, const char *text, unsigned width)
{
    unsigned length = 0;

    while (text[length])
        length++;
    buf_pad(b, b->length + (length < width ? width - length : 0));
    buf_text(b, text);
}

void buf_left(struct text_buf *b, const char *text, unsigned width)
{
    const size_t end = b->length + width;

    buf_text(b, text);
    buf_pad(b, end);
}

void buf_trim(struct text_buf *b)
{
    while (b->length && b->text[b->length - 1] == ' ')
        b->length--;
    b->text[b->length] = '\0';
}

void buf_quote(struct text_buf *b, size_t from)
{
    const size_t end = b->length;
    size_t at = from;

    while (at < end && b->text[at] != ' ' && b->text[at] != '#')
        at++;
    if (at == end || end + 2 >= b->size) /* it is one word, or the quotes do not fit */
        return;
    buf_text(b, "\"\"");
    for (at = end; at > from; at--)
        b->text[at] = b->text[at - 1];
    b->text[from] = '"';
}

void buf_number(struct text_buf *b, uint64_t n)
{
    buf_text(b, DECIMAL(n));
}

void buf_list(struct text_buf *b, const char *first, va_list others)
{
    for (const char *part = first; part; part = va_arg(others, const char *))
        buf_text(b, part);
}

void buf_all(struct text_buf *b, const char *first, ...)
{
    va_list others;

    va_start(others, first);
    buf_list(b, first, others);
    va_end(others);
}

const char *buf_joined(struct text_buf *b, const char *first, ...)
{
    va_list others;

    va_start(others, first);
    buf_list(b, first, others);
    va_end(others);
    return b->text;
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

const char *format_number(char out[FORMAT_DIGITS], uint64_t n, unsigned decimals, const char *sign)
{
    char back[FORMAT_DIGITS], *at = out;
    unsigned length = 0;

    do {
        if (decimals && length == decimals)
            back[length++] = '.';
        back[length++] = (char)('0' + divide_by_10(&n));
    } while (n || length < decimals + (decimals > 0) + 1);
    while (*sign)
        *at++ = *sign++;
    while (length)
        *at++ = back[--length];
    *at = '\0';
    return out;
}

const char *format_base(char out[FORMAT_DIGITS], const char *prefix, uint64_t n, unsigned bits, unsigned digits)
{
    char *at = out;

    while (digits * bits < 64 && n >> digits * bits)
        digits++;
    while (*prefix)
        *at++ = *prefix++;
    while (digits--)
        *at++ = digits * bits > 63 ? '0' : "0123456789abcdef"[n >> digits * bits & ((1u << bits) - 1)];
    *at = '\0';
    return out;
}
