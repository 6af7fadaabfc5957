/* SPDX-License-Identifier: MIT */
/*
 * A row of the table of the configuration words, for the files that read it:
 * probe/config/config.c parses and prints by it, and the shell's help is told from it.
 */
#ifndef PROBE_CONFIG_CONFIG_TABLE_H
#define PROBE_CONFIG_CONFIG_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define CONFIG_CHOICES 9 /* most names that a word's values have */

enum word_kind {
    WORD_CHOICE, WORD_TICK, WORD_LIST, WORD_NUMBER, WORD_THOUSANDTHS, WORD_SEED, WORD_CLOCK, WORD_SERIAL,
    WORD_SLU, WORD_TASKS, WORD_REGION
};

/* A row: one word. */
struct config_word {
    const char *key;
    enum word_kind kind;
    size_t offset; /* in struct config */
    uint64_t low, high;
    const char *choice[CONFIG_CHOICES + 1]; /* names of the enum's values, in order; LIST: of bits */
    const char *allowed;
    const char *standard, *what;
};

/* The rows, in the order of struct config; one without key is past the last. */
extern const struct config_word config_table[];

#endif
