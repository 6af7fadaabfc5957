/* SPDX-License-Identifier: MIT */
/* The rows of the configuration words: what config.c parses and prints by, and what help is printed from. */
#pragma once

#include "probe/config/config.h"

#define CONFIG_CHOICES 16 /* most names that a word's values have */

struct config_word;

/* What the values of a word look like. */
struct config_type {
    /* Read a value into its place in `c`; NULL, or a reason with the arguments value, key, row's `allowed`. */
    const char *(*parse)(struct config *c, const struct config_word *word, struct span value);
    /* Write it as it would be read. */
    void (*put)(struct text_buf *out, const struct config *c, const struct config_word *word);
    /* Whether two are the same, and to take one over; NULL: the bytes are compared and copied. */
    bool (*same)(const struct config *a, const struct config *b);
    bool (*merge)(struct config *to, const struct config *from);
};

/*
 * What a value is refused with.  Two more arguments: the nearest rates,
 * and the nearest of the names that it may have.
 */
#define CONFIG_UNKNOWN_VALUE    "unknown value %1 for %2%5 (allowed: %3)"
#define CONFIG_OUT_OF_RANGE     "value %1 for %2 is out of range (allowed: %3)"
#define CONFIG_NO_DIVISOR       "no divisor of the UART makes the rate in %2=%1%4"
#define CONFIG_TOO_MANY_REGIONS "there are more than eight region= words"

/* A row: one word. */
struct config_word {
    const char *key;
    const struct config_type *type;
    size_t offset, size; /* of its value in struct config */
    uint64_t low, high;  /* numbers */
    /* names of the enum's values, in order; a list: of bits; a number: of 0 */
    const char *choice[CONFIG_CHOICES + 1];
    const char *allowed, *standard, *what;  /* for people; `standard` is the default too */
};

extern const struct config_word config_table[CONFIG_KEYS];

/* The names of all monitors, with blanks between. */
extern const char config_monitor_names[];

/* config_types.c, config_text_types.c */
extern const struct config_type config_choice, config_tick, config_list, config_number, config_thousandths,
    config_serial, config_slu, config_tasks, config_stdin, config_region, config_events, config_rules, config_classes,
    config_note;

/* The number of a name in row->choice; false where there is none. */
bool config_choice_named(const struct config_word *word, struct span name, uint64_t *to);
