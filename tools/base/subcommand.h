/* SPDX-License-Identifier: MIT */
/*
 * Declares a command of the host tool as data: its name, its options, what its help says, and examples.  Its
 * help, its man page and its completion come from this alone.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tools/base/option_rows.h"

#define SUBCOMMAND_SHARED   2
#define SUBCOMMAND_EXAMPLES 3
#define SUBCOMMAND_JSON     3

struct report_object;
struct frame_decoder;
struct model;
struct epoch_pass;

struct subcommand {
    const char *name, *what;           /* `what`: a line of the table of commands */
    union { /* what it does with its arguments: the exit status */
        int (*run)(void *arguments);
        int (*report)(void *arguments, const struct frame_decoder *stream, struct model *model);
        int (*pass)(void *arguments, struct epoch_pass *p);
    };
    int (*through)(const struct subcommand *c, void *arguments); /* report_command() or such calls it; NULL: run() */
    size_t bytes;                        /* of the arguments */
    const void *initial;                 /* what they are before the command line is parsed; NULL: zeros */
    struct option_set own;             /* its input is the command's arguments */
    struct option_use shared[SUBCOMMAND_SHARED]; /* a set of NULL ends them */
    const char *args_doc, *doc;          /* as in struct argp */
    const char *example[SUBCOMMAND_EXAMPLES]; /* as typed in a shell; NULL ends them.  A test runs each. */
    /* what --json prints: one of these (report_object.h); NULL ends them */
    const struct report_object *json[SUBCOMMAND_JSON + 1];
    const char *script; /* in tools/; NULL: none */
    int (*words)(const struct subcommand *c, char **argv); /* takes all as they are, --help too; NULL: argp does */
    unsigned flags;                      /* of argp_parse() */
    bool live;                           /* it runs until it is ended, or writes more than text: no pager */
};

/* All its rows, those that every command has included; they are not those of a script. */
struct option_line subcommand_line(const struct subcommand *c);

/* Run a line, argv[0] is "cpuprobe NAME": the exit status.  argp ends the program where it is wrong.  Host. */
int subcommand_run(const struct subcommand *c, int argc, char **argv);

/* The options of every command line: its help, its usage, the version.  argp's own help has no letter h. */

/* Each of these ends the program. */
extern const struct option_set help_options;
