/* SPDX-License-Identifier: MIT */
/*
 * A command of the host tool as data: its name, its options, what its help says, and examples.  Its
 * help, its man page and its completion come from this alone.
 */
#pragma once

#include <stdbool.h>

#include "tools/base/option_rows.h"

#define SUBCOMMAND_SHARED   2
#define SUBCOMMAND_EXAMPLES 3
#define SUBCOMMAND_JSON     3

struct report_object;

struct subcommand {
    const char *name, *what;           /* `what`: a line of the table of commands */
    int (*run)(int argc, char **argv); /* argv[0] is "cpuprobe NAME"; the exit status */
    struct option_set own;             /* its input is the command's arguments */
    struct option_use shared[SUBCOMMAND_SHARED]; /* a set of NULL ends them */
    const char *args_doc, *doc;          /* as in struct argp */
    const char *example[SUBCOMMAND_EXAMPLES]; /* as typed in a shell; NULL ends them.  A test runs each. */
    /* what --json prints: one of these (report_object.h); NULL ends them */
    const struct report_object *json[SUBCOMMAND_JSON + 1];
    /* in tools/: it takes the words as they are, --help too; NULL: argp takes them */
    const char *script;
    unsigned flags;                      /* of argp_parse() */
    bool live;                           /* it runs until it is ended, or writes more than text: no pager */
};

/* All its rows, those that every command has included; they are not those of a script. */
struct option_line subcommand_line(const struct subcommand *c);

/* Parse a command line into `arguments`; argp ends the program where it is wrong or asks for help.  Host. */
void subcommand_parse(const struct subcommand *c, int argc, char **argv, void *arguments);

/* The options of every command line: its help, its usage, the version.  argp's own help has no letter h. */

/* Each of these ends the program. */
extern const struct option_set help_options;
