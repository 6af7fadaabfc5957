/* SPDX-License-Identifier: MIT */
/* The table of the commands of the host tool: a row each with its group, in the order of the help. */
#pragma once

#include "tools/base/subcommand.h"

#define COMMANDS_EACH(ROW)    \
    ROW(stat, LOOK)           \
    ROW(report, LOOK)         \
    ROW(histogram, LOOK)      \
    ROW(load, LOOK)           \
    ROW(gantt, LOOK)          \
    ROW(waits, LOOK)          \
    ROW(durations, LOOK)      \
    ROW(masked, LOOK)         \
    ROW(states, LOOK)         \
    ROW(time, LOOK)           \
    ROW(info, LOOK)           \
    ROW(list, LOOK)           \
    ROW(procstat, LOOK)       \
    ROW(acct, LOOK)           \
    ROW(idle, LOOK)           \
    ROW(intercept, LOOK)      \
    ROW(ps, LOOK)             \
    ROW(profile, LOOK)        \
    ROW(model, LOOK)          \
    ROW(audit, LOOK)          \
    ROW(survey, LOOK)         \
    ROW(decode_screen, LOOK)  \
    ROW(verify_port, LOOK)    \
    ROW(script, LOOK)         \
    ROW(samples, LOOK)        \
    ROW(trace, LOOK)          \
    ROW(transitions, LOOK)    \
    ROW(output, LOOK)         \
    ROW(compare, COMPARE)     \
    ROW(diff, COMPARE)        \
    ROW(kiviat, COMPARE)      \
    ROW(record, LIVE)         \
    ROW(top, LIVE)            \
    ROW(zoom, LIVE)           \
    ROW(control, LIVE)        \
    ROW(serve, LIVE)          \
    ROW(export, EXPORT)       \
    ROW(boot, EMULATOR)       \
    ROW(run, EMULATOR)        \
    ROW(shell, EMULATOR)      \
    ROW(help, HELP)

/* The groups of the help, in its order. */
#define COMMAND_GROUPS(ROW)                      \
    ROW(LOOK, "Look at a recorded run")          \
    ROW(COMPARE, "Compare")                      \
    ROW(LIVE, "Record, and watch while it runs") \
    ROW(EXPORT, "Export to other tools")         \
    ROW(EMULATOR, "In an emulator")              \
    ROW(HELP, "Help")

#define COMMAND_GROUP(name, title) COMMANDS_##name,
enum command_group { COMMAND_GROUPS(COMMAND_GROUP) COMMAND_GROUP_COUNT };
#undef COMMAND_GROUP

/* The exit statuses of the tool, for its help and its man pages: an enum exit_code each. */
#define EXIT_STATUSES(ROW)                                                                    \
    ROW(EXIT_OK, "success")                                                                   \
    ROW(EXIT_NO_DATA, "nothing could be read, or written")                                    \
    ROW(EXIT_USAGE, "wrong usage")                                                            \
    ROW(EXIT_DAMAGED, "the input is damaged or incomplete; what could be read was printed")   \
    ROW(EXIT_CHECK_FAILED, "a check failed that was asked for")

#define COMMANDS_DECLARE(name, of) extern const struct subcommand cmd_##name;
COMMANDS_EACH(COMMANDS_DECLARE)
#undef COMMANDS_DECLARE

struct command_row {
    const struct subcommand *command; /* NULL ends the table */
    enum command_group group;
};

extern const struct command_row commands[];

/* A line of the help. */
const char *command_group_title(enum command_group group);

/* The command line before the name of a command: its help, and which command was named. */

struct root_choice {
    const struct command_row *commands; /* the table that it is one of */
    const char *name;
    const struct subcommand *command;
    int at; /* of its name in argv */
};

/*
 * Parse what stands before the command and its name, which is one of this table; argp ends the program where it is
 * wrong or asks for help.
 */
struct root_choice root_parse(const struct command_row *commands, int argc, char **argv);

/* Run a whole command line by this table; returns the exit status. */
int root_run(const struct command_row *commands, int argc, char **argv);

/* The command of this name in the table; otherwise argp_error() tells so, and the nearest name. */
const struct subcommand *root_command(const struct command_row *commands, const char *name,
                                      const struct argp_state *state);
