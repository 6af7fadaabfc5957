/* SPDX-License-Identifier: MIT */
/* The table of the commands of the host tool: a row each, in the order of the help. */
#pragma once

#include "tools/base/subcommand.h"

#define COMMANDS_EACH(ROW) \
    ROW(boot)              \
    ROW(run)               \
    ROW(shell)             \
    ROW(record)            \
    ROW(control)           \
    ROW(top)               \
    ROW(zoom)              \
    ROW(stat)              \
    ROW(histogram)         \
    ROW(info)              \
    ROW(list)              \
    ROW(script)            \
    ROW(output)            \
    ROW(samples)           \
    ROW(transitions)       \
    ROW(trace)             \
    ROW(gantt)             \
    ROW(intercept)         \
    ROW(acct)              \
    ROW(procstat)          \
    ROW(idle)              \
    ROW(ps)                \
    ROW(compare)           \
    ROW(profile)           \
    ROW(kiviat)            \
    ROW(diff)              \
    ROW(states)            \
    ROW(load)              \
    ROW(durations)         \
    ROW(masked)            \
    ROW(waits)             \
    ROW(model)             \
    ROW(time)              \
    ROW(audit)             \
    ROW(survey)            \
    ROW(verify_port)       \
    ROW(report)            \
    ROW(export)            \
    ROW(serve)             \
    ROW(help)

#define COMMANDS_DECLARE(name) extern const struct subcommand cmd_##name;
COMMANDS_EACH(COMMANDS_DECLARE)
#undef COMMANDS_DECLARE

extern const struct subcommand *const commands[]; /* NULL ends it */

/* The command line before the name of a command: its help, and which command was named. */

struct root_choice {
    const struct subcommand *const *commands; /* the table that it is one of; NULL ends it */
    const char *name;
    const struct subcommand *command;
    int at; /* of its name in argv */
};

/*
 * Parse what stands before the command and its name, which is one of this table; argp ends the program where it is
 * wrong or asks for help.
 */
struct root_choice root_parse(const struct subcommand *const *commands, int argc, char **argv);

/* The command of this name in the table; otherwise argp_error() tells so, and the nearest name. */
const struct subcommand *root_command(const struct subcommand *const *commands, const char *name,
                                      const struct argp_state *state);
