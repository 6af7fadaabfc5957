/* SPDX-License-Identifier: MIT */
/* The command line of a subcommand: options of its own, and options that several share. */
#pragma once

#include <argp.h>
#include <stddef.h>

#define COMMAND_SHARED 2

struct command_line {
    const struct argp_option *options;
    argp_parser_t parser; /* of these; its input is the command's arguments */
    struct {
        const struct argp *argp; /* NULL: none */
        size_t input;            /* where its input is in the arguments, bytes */
    } shared[COMMAND_SHARED];
    const char *args_doc, *doc; /* as in struct argp */
    unsigned flags;             /* of argp_parse() */
};

/* Parse a command line into `arguments`; argp ends the program where it is wrong or asks for help.  Host. */
void command_line_parse(const struct command_line *c, int argc, char **argv, void *arguments);
