/* SPDX-License-Identifier: MIT */
/* The words of a run of hwmon: -plugin hwmon.so,WORD=VALUE,...  docs/TOOL.md lists them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPTION_PLACES 16u /* values of a word that may be repeated */

/* Values as they were written: names are looked up when all files are known. */
struct option_list {
    const char *text[OPTION_PLACES];
    unsigned count;
};

struct options {
    const char *out, *list, *blocks, *mix, *analyser;
    struct option_list elf, table;
    const char *current, *switched, *label, *open, *close, *sync, *vectors, *classes, *states;
    struct option_list interrupt, monitor, event, count, range, window;
    const char *account, *interval, *rng, *trigger;
    uint64_t rate, seed, nth, before, after;
};

void options_default(struct options *o);

/* Take WORD=VALUE, which is kept.  NULL, or what is wrong with it: `why` of `size` bytes, filled. */
const char *options_take(struct options *o, const char *word, char *why, size_t size);

/* Take the words of a file, one a line; # begins a comment.  As options_take(). */
const char *options_take_file(struct options *o, const char *path, char *why, size_t size);
