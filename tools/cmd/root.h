/* SPDX-License-Identifier: MIT */
/* The command line before the name of a command: its help, and which command was named. */
#pragma once

#include "tools/base/subcommand.h"

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
