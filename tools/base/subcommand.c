/* SPDX-License-Identifier: MIT */
/* Joins the rows of a command, those that it shares, and those of all commands to one command line. */
#include "tools/base/subcommand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/choice.h"
#include "tools/base/pager.h"

/* ---- options that every command has ---- */

static void set_colour(void *to, char *text, struct argp_state *state)
{
    (void)to;
    pager_set_colour((enum pager_colour)suggest_choice(text, PAGER_COLOURS, state));
}

static void leave_pager(void *to, char *text, struct argp_state *state)
{
    (void)to;
    (void)text;
    (void)state;
    pager_disable();
}

static const struct option_row of_all[] = {
    {"color", 0, PAGER_COLOURS, "colours: on a terminal alone, also elsewhere, or nowhere",
     CALL(set_colour), .group = -2},
    {"no-pager", 0, NULL, "do not stop after each screenful", CALL(leave_pager), .group = -2},
    {0},
};

static const struct option_set of_all_options = {.rows = of_all};

struct option_line subcommand_line(const struct subcommand *c)
{
    struct option_line line = {
        .use = {{&c->own, 0}}, .args_doc = c->args_doc, .doc = c->doc, .flags = c->flags, .suggests = true,
    };
    unsigned uses = 1;

    for (unsigned i = 0; i < SUBCOMMAND_SHARED && c->shared[i].set; i++)
        line.use[uses++] = c->shared[i];
    line.use[uses++].set = &of_all_options;
    line.use[uses].set = &help_options;
    return line;
}

/* ---- parsing ---- */

struct command_line {
    struct option_line line; /* first: the filter gets its address */
    const struct subcommand *command;
};

/* Lines "  NAME: what" in two columns. */
static char *in_columns(const char *text)
{
    char *help = NULL;
    size_t size, wide = 0;
    FILE *const out = open_memstream(&help, &size);

    if (!out)
        return (char *)text;
    for (unsigned pass = 0; pass < 2; pass++)
        for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
            const size_t length = strcspn(line, "\n"), name = strcspn(line, ":\n");
            const bool row = !strncmp(line, "  ", 2) && name + 1 < length;

            if (!pass)
                wide = row && name > wide ? name : wide;
            else if (row)
                fprintf(out, "%-*.*s %.*s\n", (int)wide, (int)name, line, (int)(length - name - 1), line + name + 1);
            else
                fprintf(out, "%.*s\n", (int)length, line);
        }
    fclose(out);
    return help;
}

/* The examples, after everything else. */
static char *with_examples(int key, const char *text, void *input)
{
    const struct command_line *l = input ? *(const struct command_line **)input : NULL;
    char *help = NULL;
    size_t length;
    FILE *out;

    if (key == ARGP_KEY_HELP_POST_DOC && text && strchr(text, ':'))
        return in_columns(text);
    if (key != ARGP_KEY_HELP_EXTRA || !l || !l->command->example[0])
        return (char *)text;
    out = open_memstream(&help, &length);
    if (!out)
        return (char *)text;
    fputs("Examples:\n", out);
    for (unsigned i = 0; i < SUBCOMMAND_EXAMPLES && l->command->example[i]; i++)
        fprintf(out, "  %s\n", l->command->example[i]);
    fclose(out);
    return help;
}

int subcommand_run(const struct subcommand *c, int argc, char **argv)
{
    struct command_line l = {subcommand_line(c), c};
    void *arguments;
    int code;

    if (c->words)
        return c->words(c, argv);
    arguments = xcalloc(1, c->bytes);
    if (c->initial)
        memcpy(arguments, c->initial, c->bytes);
    l.line.filter = with_examples;
    option_line_parse(&l.line, argc, argv, arguments);
    if (!c->live)
        pager_begin();
    code = c->through ? c->through(c, arguments) : c->run(arguments);
    free(arguments);
    return code;
}

/* What argp's own options do, with the letter that people type first. */

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
