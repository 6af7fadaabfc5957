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

bool config_add(struct config_line *line, const char *text)
{
    bool comment = false, gap = line->length > 0;

    for (; *text != '\0'; text++) {
        if (*text == '#')
            comment = true;
        else if (*text == '\n' || *text == '\r')
            comment = false;
        if (comment || config_is_blank(*text)) {
            gap = line->length > 0;
            continue;
        }
        if (gap && !add_char(line, ' '))
            return false;
        gap = false;
        if (!add_char(line, *text))
            return false;
    }
    return true;
}
