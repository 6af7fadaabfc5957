/* SPDX-License-Identifier: MIT */
/* What argp's own options do, with the letter that people type first. */
#include "tools/base/help_options.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEY_USAGE = 0x710 }; /* no option of a command has this number */

static const struct argp_option options[] = {
    {"help", 'h', NULL, 0, "print this help", -1},
    {NULL, '?', NULL, OPTION_HIDDEN, "the same as --help", -1},
    {"usage", KEY_USAGE, NULL, 0, "print the options in short", -1},
    {"version", 'V', NULL, 0, "print the version of the program", -1},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    (void)text;
    switch (key) {
    case 'h':
    case '?': argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP); return 0;
    case KEY_USAGE: argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK); return 0;
    case 'V': argp_program_version_hook(state->out_stream, state); exit(EXIT_SUCCESS);
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp help_options_argp = {.options = options, .parser = parse};
