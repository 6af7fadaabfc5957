/* SPDX-License-Identifier: MIT */
/* The options before a command are argp's own. */
#include "tools/cmd/root.h"

#include <stdio.h>
#include <string.h>

#include "tools/base/help_options.h"
#include "tools/base/suggest.h"
#include "tools/cmd/commands.h"

/* argp's help text, with the table of commands after the sentence. */
static char *with_commands(int key, const char *text, void *input)
{
    char *help = NULL;
    size_t length;
    FILE *out;

    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    out = open_memstream(&help, &length);
    if (!out)
        return (char *)text;
    fputs("Commands:\n", out);
    for (const struct subcommand *const *c = commands; *c; c++)
        fprintf(out, "  %-11s  %s\n", (*c)->name, (*c)->what);
    fputs("\n'cpuprobe help COMMAND' explains a command.  Exit status: 0 success,\n"
          "1 nothing could be read, 2 wrong usage, 3 the input is damaged or\n"
          "incomplete, 4 a check failed.",
          out);
    fclose(out);
    return help;
}

const struct subcommand *root_command(const char *name, const struct argp_state *state)
{
    const struct subcommand *const found = commands_find(name);
    struct nearest near = {.typed = span_text(name)};

    for (const struct subcommand *const *c = commands; !found && *c; c++)
        nearest_offer(&near, span_text((*c)->name));
    if (near.name.length)
        argp_error(state, "there is no command '%s'; did you mean '%.*s'?", name, (int)near.name.length, near.name.at);
    if (!found)
        argp_error(state, "there is no command '%s'", name);
    return found;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct root_choice *choice = state->input;

    switch (key) {
    case ARGP_KEY_ARG:
        choice->command = root_command(argument, state);
        choice->at = state->next - 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "the command is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp root_argp = {
    .parser = parse,
    .children = (const struct argp_child[]){{.argp = &help_options_argp}, {0}},
    .args_doc = "COMMAND [ARGUMENT...]",
    .doc = "Reads the stream of a cpuprobe image and reports where the CPU time went.\v ",
    .help_filter = with_commands,
};
