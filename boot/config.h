/* SPDX-License-Identifier: MIT */
/* From the text of cpuprobe.cfg to the line of words: for each door that reads files. */
#ifndef BOOT_CONFIG_H
#define BOOT_CONFIG_H

#include <stdbool.h>

#define CONFIG_SIZE 8192 /* longest cpuprobe.cfg and its end, comments included */

struct config_line {
    char *text; /* ended by a zero after each addition */
    unsigned room, length;
};

static inline bool config_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/*
 * Append a text with its comments cut off and runs of blanks and line ends made
 * one blank, so that a well-commented file still fits the line.  False where it
 * does not.
 */
bool config_add(struct config_line *line, const char *text);

#endif
