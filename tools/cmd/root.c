/* SPDX-License-Identifier: MIT */
/* Parses the command line up to the command; the options before it are those of every line. */
#include "tools/cmd/commands.h"

#include <stdio.h>
#include <string.h>

#include "probe/stream/version.h"
#include "probe/stream/wire.h"
#include "probe/text/nearest.h"
#include "tools/base/cli.h"

const char *argp_program_version =
    "cpuprobe " CPUPROBE_VERSION " (protocol " TEXT_OF(WIRE_MAJOR) "." TEXT_OF(WIRE_MINOR) ")";

#define TITLE(name, title) [COMMANDS_##name] = title,

const char *command_group_title(enum command_group group)
{
    static const char *const titles[COMMAND_GROUP_COUNT] = {COMMAND_GROUPS(TITLE)};

    return titles[group];
}

struct root_line {
    struct option_line line; /* the first: with_commands() finds this by it */
    const struct command_row *commands;
};

#define PRINT_STATUS(code, what) fprintf(out, "  %d  %s\n", code, what);

/* argp's help text, with the table of commands after the sentence. */
static char *with_commands(int key, const char *text, void *input)
{
    const struct root_line *const l = input ? *(const struct root_line **)input : NULL;
    char *help = NULL;
    size_t length;
    FILE *out;

    if (key != ARGP_KEY_HELP_POST_DOC || !l)
        return (char *)text;
    out = open_memstream(&help, &length);
    if (!out)
        return (char *)text;
    for (const struct command_row *c = l->commands; c->command; c++) {
        if (c == l->commands || c->group != c[-1].group)
            fprintf(out, "%s%s:\n", c == l->commands ? "" : "\n", command_group_title(c->group));
        fprintf(out, "  %-11s  %s\n", c->command->name, c->command->what);
    }
    fputs("\nExit status:\n", out);
    EXIT_STATUSES(PRINT_STATUS)
    fputs("\n'cpuprobe help COMMAND' explains a command.", out);
    fclose(out);
    return help;
}

const struct subcommand *root_command(const struct command_row *commands, const char *name,
                                      const struct argp_state *state)
{
    struct nearest near = {.typed = span_text(name)};

    for (const struct command_row *c = commands; c->command; c++)
        if (!strcmp(c->command->name, name))
            return c->command;
    for (const struct command_row *c = commands; c->command; c++)
        nearest_offer(&near, span_text(c->command->name));
    if (near.name.length)
        argp_error(state, "there is no command '%s'; did you mean '%.*s'?", name, (int)near.name.length,
                   near.name.at);
    argp_error(state, "there is no command '%s'", name);
    return NULL;
}

#undef OPTION_INPUT
#define OPTION_INPUT struct root_choice

/* What follows it is the command's own line. */
static void take_command(void *input, char *name, struct argp_state *state)
{
    struct root_choice *choice = input;

    choice->command = root_command(choice->commands, name, state);
    choice->at = state->next - 1;
    state->next = state->argc;
}

struct root_choice root_parse(const struct command_row *commands, int argc, char **argv)
{
    static const struct argument_row command = {
        ARGUMENT(name), .least = 1, .missing = "the command is missing", .take = take_command,
    };
    static const struct option_set own = {.arguments = &command};
    const struct root_line l = {
        .line = {
            .use = {{&own}, {&help_options}}, .args_doc = "COMMAND [ARGUMENT...]",
            .doc = "Reads the stream of a cpuprobe image and reports where the CPU time went.\v ",
            .filter = with_commands, .flags = ARGP_IN_ORDER,
        },
        .commands = commands,
    };
    struct root_choice choice = {.commands = commands};

    option_line_parse(&l.line, argc, argv, &choice);
    return choice;
}

int root_run(const struct command_row *commands, int argc, char **argv)
{
    struct root_choice choice;
    char name[32];

    cli_begin();
    argp_err_exit_status = EXIT_USAGE;
    choice = root_parse(commands, argc, argv);
    if (!choice.command)
        return EXIT_USAGE;
    snprintf(name, sizeof(name), "cpuprobe %s", choice.command->name);
    argv[choice.at] = name;
    return subcommand_run(choice.command, argc - choice.at, argv + choice.at);
}
