/* SPDX-License-Identifier: MIT */
/*
 * cpuprobe, the host tool: finds the command and hands over to it.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/stream/version.h"
#include "probe/stream/wire.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"

#define TEXT_OF(x)   #x
#define NUMBER_OF(x) TEXT_OF(x)

const char *argp_program_version =
    "cpuprobe " CPUPROBE_VERSION " (protocol " NUMBER_OF(WIRE_MAJOR) "." NUMBER_OF(WIRE_MINOR) ")";

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
    fputs("\n'cpuprobe COMMAND --help' explains a command.  Exit status: 0 success,\n"
          "1 nothing could be read, 2 wrong usage, 3 the input is damaged or\n"
          "incomplete, 4 a check failed.",
          out);
    fclose(out);
    return help;
}

struct choice {
    const struct subcommand *command;
    int at; /* index of its name in argv */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct choice *choice = state->input;

    switch (key) {
    case ARGP_KEY_ARG:
        choice->command = commands_find(argument);
        if (!choice->command)
            argp_error(state, "there is no command '%s'", argument);
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

int main(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "COMMAND [ARGUMENT...]",
        .doc = "Reads the stream of a cpuprobe image and reports where the CPU time went.\v ",
        .help_filter = with_commands,
    };
    struct choice choice = {NULL, 0};
    char name[32];

    cli_begin();
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice);
    if (!choice.command)
        return EXIT_USAGE;
    snprintf(name, sizeof(name), "cpuprobe %s", choice.command->name);
    argv[choice.at] = name;
    return choice.command->run(argc - choice.at, argv + choice.at);
}
