/* SPDX-License-Identifier: MIT */
/* The command line before the name of a command: its help, and which command was named. */
#pragma once

#include <argp.h>

#include "tools/base/subcommand.h"

/* argp's input: what was named, and where in argv. */
struct root_choice {
    const struct subcommand *command;
    int at;
};

extern const struct argp root_argp; /* parsed with ARGP_NO_HELP: it has the options of help_options.h */

/* The command of this name; otherwise argp_error() tells so, and the nearest name. */
const struct subcommand *root_command(const char *name, const struct argp_state *state);
