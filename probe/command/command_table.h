/* SPDX-License-Identifier: MIT */
/*
 * The rows of the command language (probe/command/command.h): what each command takes,
 * and its help.  Read by the parser, by the help and by the completion of names.
 */
#pragma once

#include <stdint.h>

#include "probe/command/command.h"

/* What follows the name of a command. */
enum command_takes {
    TAKES_NOTHING, /* but its options */
    TAKES_TASK,    /* a task, and a file of symbols where `symbols` */
    TAKES_REGIONS, /* add REGION, remove NUMBER or all */
    TAKES_TICK,    /* words of the tick, their values alone too */
    TAKES_WORDS,
    TAKES_MONITORS,
    TAKES_OUTPUT,
    TAKES_ROWS,
    TAKES_TOPIC
};

/* Bits of what is allowed. */
enum command_option_bit {
    OPTION_SEC = 1, OPTION_MODE = 2, OPTION_LOW = 4, OPTION_HIGH = 8, OPTION_MIN = 16,
    OPTION_ZOOM = 32, OPTION_SORT = 64
};
#define OPTIONS_WINDOW  (OPTION_SEC)
#define OPTIONS_TOP     (OPTION_SORT)
#define OPTIONS_PROFILE (OPTION_SEC | OPTION_MODE | OPTION_LOW | OPTION_HIGH | OPTION_MIN | OPTION_ZOOM)

struct command_row {
    const char *name;
    enum command_verb verb;
    enum command_takes takes;
    uint32_t options; /* enum command_option_bit, or-ed */
    const char *synopsis; /* what follows the name; "" nothing */
    const char *what;
};

struct command_option {
    const char *name;
    enum command_option_bit bit;
    const char *value; /* what its value is called; NULL: it has none */
    const char *what;
};

/* In the order of the help; a row without name is past the last. */
extern const struct command_row command_table[];
extern const struct command_option command_options[];

/* Other names of commands, as people type them out of habit; help and completion leave them out. */
struct command_synonym {
    const char *name;
    enum command_verb verb;
};
extern const struct command_synonym command_synonyms[];

/* The row of this name or synonym; NULL: there is none. */
const struct command_row *command_row_named(struct span name);

/* The words that `tick` may change, the last followed by CONFIG_KEYS. */
extern const enum config_key command_tick_words[];
