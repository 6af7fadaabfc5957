/* SPDX-License-Identifier: MIT */
/* Converts the text of cpuprobe.cfg to the line of words, for each door that reads files. */
#pragma once

#include <stdbool.h>

#define CONFIG_SIZE 8192 /* longest cpuprobe.cfg, comments and the final zero included */

struct config_line {
    char *text; /* ended by a zero after each addition */
    unsigned room, length;
};

static inline bool config_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/*
 * Append a text without its comments, and with one blank for each run of blanks and line
 * ends, so that a well-commented file still fits the line.  Keys are converted to lower
 * case, and blanks around their '=' are removed.  False if the text does not fit.
 */
bool config_add(struct config_line *line, const char *text);

/* The encoding in which an editor saved the file. */
enum config_file {
    CONFIG_TEXT,
    CONFIG_UTF16, /* two bytes per character, or not a text */
};

/*
 * Find the text of a file of so many bytes: skip a UTF-8 byte order mark and write a
 * final zero, for which `file` has room.
 */
enum config_file config_text(char *file, unsigned bytes, const char **text);

/* Error messages of both doors for a file that they refuse; each adds its own prefix. */
#define CONFIG_SAYS_UTF16 "cpuprobe.cfg is no plain text, perhaps UTF-16: save it as UTF-8 or ANSI"
#define CONFIG_SAYS_BOTH  "both cpuprobe.cfg and cpuprobe.cfg.txt are there: delete the one that is not meant"
#define CONFIG_SAYS_LONG  "cpuprobe.cfg cannot be read, or is longer than 8191 bytes"
#define CONFIG_SAYS_WORDS "the configuration words are longer than 511 characters"
