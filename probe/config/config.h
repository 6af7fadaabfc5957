/* SPDX-License-Identifier: MIT */
/*
 * The configuration: one line of key=value words, the same from every door, on
 * the wire and on the host.  One table (words_table.c) holds each word with its
 * values, its default and its help.
 */
#ifndef PROBE_CONFIG_CONFIG_H
#define PROBE_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/config/region_spec.h"
#include "probe/config/serial_spec.h"
#include "probe/config/slu_spec.h"
#include "probe/core/region.h"
#include "probe/text/text_span.h"

#define WORDS_LINE 1152    /* longest line of words, its end included */
#define WORDS_SENTENCE 384 /* longest sentence about a wrong word */
#define WORDS_TASKS 64     /* longest value of tasks= */

#define CLOCK_RTC    0    /* the value of clock=rtc */
#define CLOCK_RTC_HZ 128u /* what it ticks at */

enum tick_word {
    TICK_AUTO, TICK_PIT, TICK_LAPIC, TICK_RTC, TICK_PIT_PERIODIC, TICK_CLOCK,
    TICK_SLU, TICK_SLU_TIMEOUT, TICK_NONE
};
enum interval_word {
    INTERVAL_STRATIFIED, INTERVAL_RANDOM, INTERVAL_EXPONENTIAL, INTERVAL_NARROW, INTERVAL_FIXED
};
enum rng_word { RNG_CARTA, RNG_CHACHA8 };
enum delivery_word { DELIVERY_IRQ, DELIVERY_NMI };
enum sched_word { SCHED_RR, SCHED_DECAY };
enum identity_word { IDENTITY_NAME, IDENTITY_IMAGE, IDENTITY_TASK };
enum monitor_word { MONITOR_SYSTEM = 1, MONITOR_REGION = 2, MONITOR_SAMPLES = 4 }; /* bits */
enum thin_word { THIN_OFF, THIN_AUTO };
enum stamp_word { STAMP_US, STAMP_OFF };
enum output_word { OUTPUT_TEXT, OUTPUT_FRAMES };
enum shell_word { SHELL_AUTO, SHELL_ON, SHELL_OFF };
enum exit_word { EXIT_HALT, EXIT_REBOOT, EXIT_QEMU, EXIT_BOCHS };
enum health_word { HEALTH_AUTO, HEALTH_ON, HEALTH_OFF };
enum account_word { ACCOUNT_WORD_ON, ACCOUNT_WORD_OFF, ACCOUNT_WORD_LOG };

struct words { /* a member a word, in the order of the table; `beside` is of tick= too */
    uint64_t tick;     /* enum tick_word */
    uint64_t beside;   /* the second source of tick=, further down in enum tick_word; TICK_AUTO: none */
    uint64_t rate;     /* Hz, 1 .. 500000 */
    uint64_t interval; /* enum interval_word */
    uint64_t spread;   /* full width over T, thousandths, 0 .. 2000 */
    uint64_t seed;     /* 0: auto, else 1 .. 2^63-1 */
    uint64_t rng, delivery;
    uint64_t clock; /* Hz, 10 .. 1000, or CLOCK_RTC */
    uint64_t sched;
    uint64_t account; /* enum account_word */
    uint64_t identity;
    uint64_t monitor; /* enum monitor_word, or-ed; 0: none */
    uint64_t thin, stamp;
    uint64_t seconds; /* 0: for ever */
    uint64_t samples; /* 0: no bound */
    uint64_t windows; /* 1 .. 100000 */
    uint64_t precision; /* thousandths of a point, 50 .. 50000; 0: no bound */
    struct serial_line line; /* serial= */
    struct slu_word slu;
    uint64_t output;
    uint64_t shell;  /* enum shell_word */
    uint64_t health; /* enum health_word */
    uint64_t exit;
    char tasks[WORDS_TASKS]; /* name of a workload */
    uint64_t regions;
    struct region_word region[REGIONS_MAX];
    uint32_t given; /* bit n: word n of the table was in a line that was read */
};

/* Lay down every default. */
void words_default(struct words *w);

/*
 * Read a line of words over `w`; later words win.  Blanks, tabs and line ends
 * separate; `#` begins a comment to the end of its line.  False at the first
 * word or value that is unknown or out of range, with a sentence in
 * `sentence` (WORDS_SENTENCE bytes) that names it and what is allowed; words
 * before it have been taken.  Any context.
 */
bool words_parse(struct words *w, const char *line, char *sentence);

/*
 * Whether all words together make sense; if not, with a sentence that says
 * which do not.  Any context.
 */
bool words_agree(const struct words *w, char *sentence);

/* Whether ticks come that nothing masks: a cell's truth is then all its time.  Any context. */
bool words_unmasked(const struct words *w);

/*
 * Write every word with its value, or those of `keys` alone, the last followed by
 * NULL; `line` has WORDS_LINE bytes.  Any context.
 */
void words_print(const struct words *w, char *line);
void words_print_some(const struct words *w, const char *const keys[], char *line);

/* The name of the value that the word `key` has, e.g. "stratified"; "" where it has none. */
const char *words_name(const struct words *w, const char *key);

/* Whether the word `key` was in a line that was read, not only laid down by default. */
bool words_given(const struct words *w, const char *key);

/*
 * Which of these words, the last followed by NULL, has a value of this name: the
 * first, e.g. "tick" for lapic; NULL: none.  Any context.
 */
const char *words_key_of(const char *const keys[], struct span value);

/* The bit (enum monitor_word) of a monitor's name; 0: there is none.  Any context. */
uint32_t words_monitor(struct span name);

/* The table for help texts: the word at `index`; false past the last. */
struct word_help {
    const char *key, *allowed, *standard, *what;
};
bool words_help(unsigned index, struct word_help *help);

#endif
