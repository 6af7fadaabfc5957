/* SPDX-License-Identifier: MIT */
/*
 * The configuration: one line of key=value words, the same from every door, on
 * the wire and on the host.  One table (words.c) holds each word with its
 * values, its default and its help.
 */
#ifndef PROBE_WORDS_H
#define PROBE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/serial_line.h"

#define WORDS_LINE 512     /* longest line of words, its end included */
#define WORDS_SENTENCE 256 /* longest sentence about a wrong word */
#define WORDS_TASKS 64     /* longest value of tasks= */

enum tick_word { TICK_AUTO, TICK_PIT, TICK_NONE };
enum interval_word { INTERVAL_STRATIFIED, INTERVAL_RANDOM, INTERVAL_FIXED };
enum rng_word { RNG_CARTA };
enum delivery_word { DELIVERY_IRQ };
enum sched_word { SCHED_RR };
enum identity_word { IDENTITY_NAME, IDENTITY_IMAGE, IDENTITY_TASK };
enum monitor_word { MONITOR_SYSTEM, MONITOR_NONE };
enum output_word { OUTPUT_TEXT, OUTPUT_FRAMES };
enum exit_word { EXIT_HALT, EXIT_REBOOT, EXIT_QEMU, EXIT_BOCHS };
enum switch_word { SWITCH_ON, SWITCH_OFF };

struct words { /* a member a word, in the order of the table */
    uint64_t tick;     /* enum tick_word */
    uint64_t rate;     /* Hz, 1 .. 500000 */
    uint64_t interval; /* enum interval_word */
    uint64_t spread;   /* full width over T, thousandths, 0 .. 2000 */
    uint64_t seed;     /* 0: auto, else 1 .. 2^31-2 */
    uint64_t rng, delivery;
    uint64_t clock; /* Hz, 10 .. 1000 */
    uint64_t sched;
    uint64_t account; /* enum switch_word */
    uint64_t identity, monitor;
    uint64_t seconds; /* 0: for ever */
    uint64_t samples; /* 0: no bound */
    struct serial_line line; /* serial= */
    uint64_t output, exit;
    char tasks[WORDS_TASKS]; /* name of a workload */
};

/* Lay down every default. */
void words_default(struct words *w);

/*
 * Read a line of words over `w`; later words win.  Blanks, tabs and line ends
 * separate; `#` begins a comment to the end of its line.  False at the first
 * word or value that is unknown, out of range or not built, with a sentence in
 * `sentence` (WORDS_SENTENCE bytes) that names it and what is allowed; words
 * before it have been taken.  Any context.
 */
bool words_parse(struct words *w, const char *line, char *sentence);

/* Write every word with its value; `line` has WORDS_LINE bytes.  Any context. */
void words_print(const struct words *w, char *line);

/* Write the name of the value that the word `key` has, e.g. "stratified". */
const char *words_name(const struct words *w, const char *key);

/* The table for help texts: the word at `index`; false past the last. */
struct word_help {
    const char *key, *allowed, *standard, *what;
};
bool words_help(unsigned index, struct word_help *help);

#endif
