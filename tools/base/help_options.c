/* SPDX-License-Identifier: MIT */
/* What argp's own options do, with the letter that people type first. */
#include "tools/base/help_options.h"

#include <stdlib.h>

static void print_help(void *to, char *text, struct argp_state *state)
{
    (void)to;
    (void)text;
    argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
}

static void print_usage(void *to, char *text, struct argp_state *state)
{
    (void)to;
    (void)text;
    argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
}

static void print_version(void *to, char *text, struct argp_state *state)
{
    (void)to;
    (void)text;
    argp_program_version_hook(state->out_stream, state);
    exit(EXIT_SUCCESS);
}

static const struct option_row rows[] = {
    {"help", 'h', NULL, "print this help", CALL(print_help), .group = -1},
    {NULL, '?', NULL, "the same as --help", CALL(print_help), .group = -1, .flags = OPTION_HIDDEN},
    {"usage", 0, NULL, "print the options in short", CALL(print_usage), .group = -1},
    {"version", 'V', NULL, "print the version of the program", CALL(print_version), .group = -1},
    {0},
};

const struct option_set help_options = {.rows = rows};
