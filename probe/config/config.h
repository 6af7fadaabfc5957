/* SPDX-License-Identifier: MIT */
/*
 * The configuration: one line of key=value words, the same from every door, on
 * the wire and on the host.  One table (config_table.c) holds each word with its
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

#define CONFIG_LINE 1152    /* longest line of words, its end included */
#define CONFIG_MESSAGE 384 /* longest sentence about a wrong word */
#define CONFIG_TASKS 64     /* longest value of tasks= */

#define CLOCK_RTC    0    /* the value of clock=rtc */
#define CLOCK_RTC_HZ 128u /* what it ticks at */

enum config_tick {
    TICK_AUTO, TICK_PIT, TICK_LAPIC, TICK_RTC, TICK_PIT_PERIODIC, TICK_CLOCK,
    TICK_SLU, TICK_SLU_TIMEOUT, TICK_NONE
};
enum config_interval {
    INTERVAL_STRATIFIED, INTERVAL_RANDOM, INTERVAL_EXPONENTIAL, INTERVAL_NARROW, INTERVAL_FIXED
};
enum config_rng { RNG_CARTA, RNG_CHACHA8 };
enum config_delivery { DELIVERY_IRQ, DELIVERY_NMI };
enum config_sched { SCHED_RR, SCHED_DECAY };
enum config_identity { IDENTITY_NAME, IDENTITY_IMAGE, IDENTITY_TASK };
enum config_monitor { MONITOR_SYSTEM = 1, MONITOR_REGION = 2, MONITOR_SAMPLES = 4 }; /* bits */
enum config_thin { THIN_OFF, THIN_AUTO };
enum config_stamp { STAMP_US, STAMP_OFF };
enum config_output { OUTPUT_TEXT, OUTPUT_FRAMES };
enum config_shell { SHELL_AUTO, SHELL_ON, SHELL_OFF };
enum config_exit { EXIT_HALT, EXIT_REBOOT, EXIT_QEMU, EXIT_BOCHS };
enum config_health { HEALTH_AUTO, HEALTH_ON, HEALTH_OFF };
enum config_account { CONFIG_ACCOUNT_ON, CONFIG_ACCOUNT_OFF, CONFIG_ACCOUNT_LOG };

struct config { /* a member a word, in the order of the table; `second_tick` is of tick= too */
    uint64_t tick;     /* enum config_tick */
    uint64_t second_tick;   /* the second source of tick=, further down in enum config_tick; TICK_AUTO: none */
    uint64_t rate;     /* Hz, 1 .. 500000 */
    uint64_t interval; /* enum config_interval */
    uint64_t spread;   /* full width over T, thousandths, 0 .. 2000 */
    uint64_t seed;     /* 0: auto, else 1 .. 2^63-1 */
    uint64_t rng, delivery;
    uint64_t clock; /* Hz, 10 .. 1000, or CLOCK_RTC */
    uint64_t sched;
    uint64_t account; /* enum config_account */
    uint64_t identity;
    uint64_t monitor; /* enum config_monitor, or-ed; 0: none */
    uint64_t thin, stamp;
    uint64_t seconds; /* 0: for ever */
    uint64_t samples; /* 0: no bound */
    uint64_t windows; /* 1 .. 100000 */
    uint64_t precision; /* thousandths of a point, 50 .. 50000; 0: no bound */
    struct serial_spec line; /* serial= */
    struct slu_spec slu;
    uint64_t output;
    uint64_t shell;  /* enum config_shell */
    uint64_t health; /* enum config_health */
    uint64_t exit;
    char tasks[CONFIG_TASKS]; /* name of a workload */
    uint64_t regions;
    struct region_spec region[REGIONS_MAX];
    uint32_t given; /* bit n: word n of the table was in a line that was read */
};

/* Lay down every default. */
void config_default(struct config *w);

/*
 * Read a line of words over `w`; later words win.  Blanks, tabs and line ends
 * separate; `#` begins a comment to the end of its line.  False at the first
 * word or value that is unknown or out of range, with a sentence in
 * `sentence` (CONFIG_MESSAGE bytes) that names it and what is allowed; words
 * before it have been taken.  Any context.
 */
bool config_parse(struct config *w, const char *line, char *sentence);

/*
 * Whether all words together make sense; if not, with a sentence that says
 * which do not.  Any context.
 */
bool config_check(const struct config *w, char *sentence);

/* Whether ticks come that nothing masks: a cell's truth is then all its time.  Any context. */
bool config_via_nmi(const struct config *w);

/*
 * Write every word with its value, or those of `keys` alone, the last followed by
 * NULL; `line` has CONFIG_LINE bytes.  Any context.
 */
void config_print(const struct config *w, char *line);
void config_print_some(const struct config *w, const char *const keys[], char *line);

/* The name of the value that the word `key` has, e.g. "stratified"; "" where it has none. */
const char *config_value_name(const struct config *w, const char *key);

/* Whether the word `key` was in a line that was read, not only laid down by default. */
bool config_given(const struct config *w, const char *key);

/*
 * Which of these words, the last followed by NULL, has a value of this name: the
 * first, e.g. "tick" for lapic; NULL: none.  Any context.
 */
const char *config_key_of_value(const char *const keys[], struct span value);

/* The bit (enum config_monitor) of a monitor's name; 0: there is none.  Any context. */
uint32_t config_monitor(struct span name);

/* The table for help texts: the word at `index`; false past the last. */
struct config_help {
    const char *key, *allowed, *standard, *what;
};
bool config_help(unsigned index, struct config_help *help);

#endif
