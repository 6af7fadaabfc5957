/* SPDX-License-Identifier: MIT */
/* Parts of a line that is being read. */
#include "probe/text/text_span.h"

#include "probe/text/text_buf.h"

#define QUOTE_MAX 24 /* bytes of a wrong word that its message repeats */
#define HEX_MAX   16

void buf_span(struct text_buf *out, struct span s)
{
    for (size_t i = 0; i < s.length; i++)
        buf_char(out, s.at[i]);
}

void buf_quoted(struct text_buf *out, struct span s)
{
    buf_char(out, '\'');
    for (size_t i = 0; i < s.length && i < QUOTE_MAX; i++)
        buf_char(out, s.at[i] >= ' ' && s.at[i] <= '~' ? s.at[i] : '?');
    if (s.length > QUOTE_MAX)
        buf_text(out, "...");
    buf_char(out, '\'');
}

bool span_is_separator(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Past separators and comments. */
static const char *word_begin(const char *at)
{
    while (span_is_separator(*at) || *at == '#')
        if (*at++ == '#')
            while (*at && *at != '\n' && *at != '\r')
                at++;
    return at;
}

bool span_next_word(const char **line, struct span *word)
{
    const char *end = word->at = word_begin(*line);
    bool quoted = false;

    while (*end && *end != '\n' && *end != '\r' && (quoted || (*end != '#' && !span_is_separator(*end))))
        quoted = quoted != (*end++ == '"');
    word->length = (size_t)(end - word->at);
    *line = end;
    return word->length != 0;
}

struct span span_unquoted(struct span s)
{
    const bool quoted = s.length > 1 && s.at[0] == '"' && s.at[s.length - 1] == '"';

    return quoted ? (struct span){s.at + 1, s.length - 2} : s;
}

bool span_is(struct span s, const char *text)
{
    size_t i = 0;

    while (i < s.length && text[i] && s.at[i] == text[i])
        i++;
    return i == s.length && !text[i];
}

struct span span_until(struct span s, char end)
{
    size_t i = 0;

    while (i < s.length && s.at[i] != end)
        i++;
    return (struct span){s.at, i};
}

struct span span_after(struct span s, size_t length)
{
    return (struct span){s.at + length, s.length - length};
}

/* A number and one more digit; n * 10 has 64 bits where n * 8 is not over `most`. */
static uint64_t with_digit(uint64_t n, unsigned digit, uint64_t most)
{
    const uint64_t next = n * 10 + digit;

    return n > most >> 3 || next > most ? most + 1 : next;
}

bool span_number(struct span s, uint64_t *number)
{
    return span_number_to(s, NUMBER_MAX, number);
}

bool span_number_to(struct span s, uint64_t most, uint64_t *number)
{
    *number = 0;
    if (s.length == 0 || (s.length > 1 && s.at[0] == '0'))
        return false;
    for (size_t i = 0; i < s.length; i++) {
        if (s.at[i] < '0' || s.at[i] > '9')
            return false;
        *number = with_digit(*number, (unsigned)(s.at[i] - '0'), most);
    }
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool span_hex(struct span s, uint64_t *number)
{
    *number = 0;
    if (s.length < 3 || s.length > 2 + HEX_MAX || s.at[0] != '0' || s.at[1] != 'x')
        return false;
    for (size_t i = 2; i < s.length; i++) {
        if (hex_digit(s.at[i]) < 0)
            return false;
        *number = *number << 4 | (uint64_t)hex_digit(s.at[i]);
    }
    return true;
}

/* Digits of a base of 8 or 10, at least one; false also where 64 bits overflow. */
static bool take_digits(struct span s, uint64_t base, uint64_t *number)
{
    const uint64_t most = base == 8 ? UINT64_MAX / 8 : UINT64_MAX / 10;

    *number = 0;
    for (size_t i = 0; i < s.length; i++) {
        const uint64_t digit = (uint64_t)(unsigned char)s.at[i] - '0', before = *number;

        if (digit >= base || before > most)
            return false;
        *number = before * base + digit;
        if (*number < before)
            return false;
    }
    return s.length != 0;
}

bool span_address(struct span s, uint64_t *address)
{
    if (s.length > 1 && s.at[0] == '0' && s.at[1] == 'x')
        return span_hex(s, address);
    return take_digits(s, span_is_octal(s) ? 8 : 10, address);
}

bool span_is_octal(struct span s)
{
    return s.length > 1 && s.at[0] == '0' && s.at[1] != 'x';
}

struct span span_text(const char *text)
{
    struct span s = {text, 0};

    while (text[s.length])
        s.length++;
    return s;
}
