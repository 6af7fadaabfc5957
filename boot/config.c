/* SPDX-License-Identifier: MIT */
/* The text of cpuprobe.cfg without its comments.  docs/WORDS.md lists the words. */
#include "boot/config.h"

static bool add_char(struct config_line *line, char c)
{
    if (line->length + 1 >= line->room)
        return false;
    line->text[line->length++] = c;
    line->text[line->length] = '\0';
    return true;
}

/* The first character that is not a blank or tab. */
static const char *past_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether the word that begins here is a key, that is, a '=' follows it. */
static bool is_key(const char *text)
{
    while (*text != '\0' && *text != '=' && *text != '#' && !config_is_blank(*text))
        text++;
    return *past_blanks(text) == '=';
}

/* Whether a word goes on here.  Between double quotes it has blanks and '#', up to the end of its line. */
static bool goes_on(char c, bool key, bool quoted)
{
    if (quoted)
        return c != '\0' && c != '\n' && c != '\r';
    return c != '\0' && c != '#' && (key || !config_is_blank(c));
}

/* Add one word: a key, '=' and its value are joined without blanks.  `at` moves to the end of the word. */
static bool add_word(struct config_line *line, const char **at)
{
    const char *text = *at;
    bool key = is_key(text), quoted = false;

    while (goes_on(*text, key, quoted)) {
        if (key)
            text = past_blanks(text);
        if (!add_char(line, key ? lower(*text) : *text))
            return false;
        key = key && *text != '=';
        quoted = quoted != (*text == '"');
        text++;
        if (text[-1] == '=' && !quoted)
            text = past_blanks(text);
    }
    *at = text;
    return true;
}

bool config_add(struct config_line *line, const char *text)
{
    while (*text != '\0') {
        if (*text == '#') {
            while (*text != '\0' && *text != '\n' && *text != '\r')
                text++;
        } else if (config_is_blank(*text)) {
            text++;
        } else if ((line->length > 0 && !add_char(line, ' ')) || !add_word(line, &text)) {
            return false;
        }
    }
    return true;
}

#define BOM_UTF8    "\xef\xbb\xbf"
#define BOM_UTF16LE "\xff\xfe"
#define BOM_UTF16BE "\xfe\xff"

static bool begins(const char *text, unsigned bytes, const char *mark)
{
    unsigned i = 0;

    while (mark[i] != '\0' && i < bytes && text[i] == mark[i])
        i++;
    return mark[i] == '\0';
}

enum config_file config_text(char *file, unsigned bytes, const char **text)
{
    const unsigned mark = sizeof BOM_UTF8 - 1;

    *text = begins(file, bytes, BOM_UTF8) ? file + mark : file;
    if (begins(file, bytes, BOM_UTF16LE) || begins(file, bytes, BOM_UTF16BE))
        return CONFIG_UTF16;
    for (unsigned i = 0; i < bytes; i++)
        if (file[i] == '\0') /* in UTF-16 without a byte order mark every second byte is 0 */
            return CONFIG_UTF16;
    file[bytes] = '\0';
    return CONFIG_TEXT;
}
