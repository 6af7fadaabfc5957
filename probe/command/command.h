/* SPDX-License-Identifier: MIT */
/*
 * The command language of a run: one line, read into one struct, the same for
 * the monitor's shell and for the frames of the host.  Its words are those of
 * the configuration (probe/config/config.h): a line of words alone is a command too.
 *
 *     pat -sec 60
 *     mps -sec 360 -low 025200 -high 042600 rogue rogue.stb
 *     tick lapic 200 random
 *     rate=200
 *
 * The parser keeps nothing and does nothing: what a command means here and now
 * (is there such a task?) is for whoever carries it out.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/command/rx_demux.h"
#include "probe/config/config.h"
#include "probe/config/region_spec.h"
#include "probe/stats/table_sort.h"

#define COMMAND_SECONDS 60u /* of pat, plt and mps, unless -sec is given */
#define COMMAND_SECONDS_MAX 1000000u
#define COMMAND_ROWS    24u /* of a page, until page says otherwise */
#define COMMAND_IN_FORCE "they are in force already" /* the refusal of words that change nothing */

enum command_verb {
    COMMAND_NONE, /* blanks, or a comment */
    COMMAND_PAT, COMMAND_PLT, COMMAND_MPS, COMMAND_TOP, COMMAND_PS, COMMAND_REGIONS, COMMAND_TICK,
    COMMAND_SET, COMMAND_START, COMMAND_STOP, COMMAND_SNAPSHOT, COMMAND_PAUSE, COMMAND_CONTINUE, COMMAND_DUMP,
    COMMAND_STATUS, COMMAND_HEALTH, COMMAND_OUTPUT, COMMAND_PAGE, COMMAND_END, COMMAND_REBOOT, COMMAND_HELP
};

/* What is done with regions. */
enum command_regions { REGIONS_SHOW, REGIONS_ADD, REGIONS_REMOVE, REGIONS_REMOVE_ALL };

struct command {
    enum command_verb verb;

    /* pat, plt, mps */
    uint32_t seconds;          /* 1 .. COMMAND_SECONDS_MAX */
    struct region_spec region; /* plt, mps, regions add; the task as it was written */
    bool from_low, to_high;    /* -low and -high were given; else region.low is 0, .high UINT64_MAX */
    uint32_t min;              /* hits; 0: not given */
    bool zoom;
    bool symbols;              /* a file of symbols was named */

    enum table_order order; /* top */
    enum command_regions regions;
    uint32_t number;   /* REGIONS_REMOVE: counted from 1, as they are shown; page: rows, 0 none */
    uint32_t monitors; /* start, stop: enum config_monitor, or-ed; 0: none named */

    struct config change; /* tick, set, output: the words that are `given`; none: they are shown */
    const char *topic; /* help: the name of a command or a word, of its table; NULL: all */
};

/*
 * Read a line, which may be any bytes.  False with the reason, which points into the line; `*c` is then void.
 * No memory is kept.  Any context, host too.
 */
bool command_parse(struct command *c, const char *line, struct refusal *why);

/* The names of commands in the order of the help; NULL past the last. */
const char *command_name(unsigned index);

/* Whether the command that the line begins with takes a task's name, as plt and mps do. */
bool command_takes_task(const char *line);

/* Whether the shell alone can do it, and not a host by its frames: it waits, or is about the terminal. */
bool command_needs_shell(enum command_verb verb);

/*
 * What help says, line by line, without line ends: of all commands (NULL), those of the shell alone if `shell`,
 * or of one command or word, by its name as in `topic`.  Any context, host too.
 */
void command_help(const char *topic, bool shell, void (*line)(void *context, const char *text), void *context);
