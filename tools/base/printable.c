/* SPDX-License-Identifier: MIT */
/* Makes text from outside safe for a terminal. */
#include "tools/base/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tools/base/alloc.h"

static bool is_plain(char c)
{
    return c >= ' ' && c <= '~';
}

char *printable(char *text)
{
    for (char *c = text; *c; c++)
        if (!is_plain(*c))
            *c = '?';
    return text;
}

void printable_lines(char *text)
{
    for (; *text; text++)
        if (!is_plain(*text) && *text != '\n')
            *text = '?';
}

char *printable_copy(const char *bytes, size_t length)
{
    char *copy = xrealloc_array(NULL, length + 1, 1);

    for (size_t i = 0; i < length; i++)
        copy[i] = is_plain(bytes[i]) ? bytes[i] : '?';
    copy[length] = '\0';
    return copy;
}

void printable_escaped(FILE *out, const char *text, size_t length, const char *special)
{
    for (size_t i = 0; i < length; i++) {
        if (!is_plain(text[i]))
            fprintf(out, "\\x%02x", (unsigned char)text[i]);
        else if (strchr(special, text[i]))
            fprintf(out, "\\%c", text[i]);
        else
            putc(text[i], out);
    }
}

/* Bytes of the UTF-8 character at `text`; 0: none, or a control character (RFC 3629, section 4). */
static size_t utf8_length(const char *text)
{
    static const uint32_t least[] = {0, 0, 0xa0 /* the C1 control characters end below this */, 0x800, 0x10000};
    const uint8_t first = (uint8_t)*text;
    const size_t length = first >= 0xf0 && first < 0xf8 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
    uint32_t code = first & (0x7f >> length);

    if (first >= 0xf8)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if (((uint8_t)text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | ((uint8_t)text[i] & 0x3f);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0;
    return length;
}

static void replace(char *text, bool lines)
{
    while (*text) {
        const size_t length = is_plain(*text) || (lines && *text == '\n') ? 1 : utf8_length(text);

        if (!length)
            *text = '?';
        text += length ? length : 1;
    }
}

void printable_sentence(char *text)
{
    replace(text, true);
}

void printable_name(char *text)
{
    replace(text, false);
}
