/* SPDX-License-Identifier: MIT */
/*
 * The rows of words, of the configuration and of other programs: what config.c parses and prints by, and what help
 * is printed from.  Any context, host too.
 */
#pragma once

#include "probe/config/config.h"

#define CONFIG_CHOICES 16 /* most names that a word's values have */

struct config_word;

/* What the values of a word look like.  `values` is the struct that has them: struct config, or a program's own. */
struct config_type {
    /* Read a value into its place; NULL, or a reason with the arguments value, key, row's `allowed`. */
    const char *(*parse)(void *values, const struct config_word *word, struct span value);
    /* Write it as it would be read. */
    void (*put)(struct text_buf *out, const void *values, const struct config_word *word);
    /* Whether two are the same, and to take one over; NULL: the bytes are compared and copied. */
    bool (*same)(const struct config *a, const struct config *b);
    bool (*merge)(struct config *to, const struct config *from);
    bool quotes; /* its values have their double quotes: of others they are removed and put here */
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
    size_t offset, size; /* of its value in the struct that has it */
    uint64_t low, high;  /* numbers */
    /* names of the enum's values, in order; a list: of bits; a number: of 0 */
    const char *choice[CONFIG_CHOICES + 1];
    const char *allowed, *standard, *what;  /* for people; `standard` is the default too, NULL: all zeros */
};

/* The rows of a program. */
struct config_words {
    const struct config_word *row;
    unsigned count;
};

/* Set every word to its default; what has none stays. */
void config_words_default(const struct config_words *words, void *values);

/* Read WORD=VALUE and return its row; NULL where there is none, or not of this value. */
const struct config_word *config_words_take(const struct config_words *words, void *values, struct span word,
                                            struct refusal *why);

/* Append every word with its value, in their order, blanks between. */
void config_words_put(struct text_buf *out, const struct config_words *words, const void *values);

/* The place of a word's value. */
static inline void *config_value(void *values, const struct config_word *word)
{
    return (char *)values + word->offset;
}

static inline const void *config_value_of(const void *values, const struct config_word *word)
{
    return (const char *)values + word->offset;
}

/* What rows are written with: names in their order, what is chosen from and what of it is told. */
#define INTERVAL_NAMES(first, next) first("stratified") next("random") next("exponential") next("narrow") \
                                    next("fixed") next("arithmetic")
#define NAME(text)       text
#define COMMA_NAME(text) , text
#define BLANK_NAME(text) " " text
#define CHOICE_OF(names) .choice = {names(NAME, COMMA_NAME)}
#define TEXT_OF(names)   names(NAME, BLANK_NAME)
#define TWO(a, b)        .choice = {a, b}, .allowed = a " " b
#define THREE(a, b, c)   .choice = {a, b, c}, .allowed = a " " b " " c
#define FOUR(a, b, c, d) .choice = {a, b, c, d}, .allowed = a " " b " " c " " d
#define RANGE(from, to)  .low = from, .high = to, .allowed = #from " to " #to

/* A word `name`, the member of the struct that has its value, and its type. */
#define WORD_OF(values, name, member, of_type) \
    .key = name, .type = &(of_type), .offset = offsetof(values, member), .size = sizeof((values *)NULL)->member

extern const struct config_word config_table[CONFIG_KEYS];

/* The names of all monitors, with blanks between. */
extern const char config_monitor_names[];

/* config_types.c, config_text_types.c */
extern const struct config_type config_choice, config_tick, config_list, config_number, config_thousandths,
    config_serial, config_slu, config_tasks, config_stdin, config_region, config_events, config_rules, config_classes,
    config_note;

/* The number of a name in row->choice; false where there is none. */
bool config_choice_named(const struct config_word *word, struct span name, uint64_t *to);
