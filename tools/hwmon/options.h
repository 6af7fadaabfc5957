/* SPDX-License-Identifier: MIT */
/* Declares the words of a run of hwmon: -plugin hwmon.so,WORD=VALUE,...  docs/TOOL.md lists them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/config/config_table.h"

#define OPTION_PLACES 16u /* values of a word that may be repeated */

enum option_account { OPTION_ACCOUNT_ON, OPTION_ACCOUNT_LOG };

/* Values as they were written: names are looked up when all files are known. */
struct option_list {
    const char *text[OPTION_PLACES];
    unsigned count;
};

/* The value of each word; a text or a list that was not given is NULL or empty. */
struct options {
    const char *out, *list, *blocks, *mix, *analyser;
    struct option_list elf, table;
    const char *current, *switched, *label, *open, *close, *sync, *vectors, *classes, *states;
    struct option_list interrupt, monitor, event, count, range, window;
    const char *trigger;
    const char *words;      /* while a word is read: the file that it names */
    uint64_t interval, rng; /* enum interval_policy, enum rng */
    uint64_t account;       /* enum option_account */
    uint64_t rate;          /* Hz */
    uint64_t seed, nth, before, after;
};

/* Their rows. */
extern const struct config_words option_words;

void options_default(struct options *o);

/* Take WORD=VALUE, and for words=FILE those of the file, one a line; # begins a comment.  False: `why` is filled. */
bool options_take(struct options *o, const char *word, char why[REFUSAL_TEXT]);

/* Append the words that the stream tells, with their values. */
void options_put_told(struct text_buf *out, const struct options *o);
