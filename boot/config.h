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
 * one blank, so that a well-commented file still fits the line.  A key's capitals are
 * made small, and blanks around its '=' go.  False where it does not fit.
 */
bool config_add(struct config_line *line, const char *text);

/* What an editor has left of the file. */
enum config_file {
    CONFIG_TEXT,
    CONFIG_UTF16, /* two bytes a character, or no text at all */
};

/*
 * The text of a file of so many bytes, without the mark that says UTF-8, ended by a zero:
 * `file` has room for it.
 */
enum config_file config_text(char *file, unsigned bytes, const char **text);

/* What both doors say of a file that they do not take, each after its own opening. */
#define CONFIG_SAYS_UTF16 "cpuprobe.cfg is no plain text, perhaps UTF-16: save it as UTF-8 or ANSI"
#define CONFIG_SAYS_BOTH  "both cpuprobe.cfg and cpuprobe.cfg.txt are there: delete the one that is not meant"
#define CONFIG_SAYS_LONG  "cpuprobe.cfg cannot be read, or is longer than 8191 bytes"
#define CONFIG_SAYS_WORDS "the configuration words are longer than 511 characters"

#endif
