/* SPDX-License-Identifier: MIT */
/*
 * Keeps the table of commands, with its last one, `help`, which explains them all or one; with --json it tells all
 * that is known of them, from which other pages are made.
 */
#include "tools/cmd/commands.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "probe/text/nearest.h"
#include "probe/text/text_span.h"
#include "tools/archive/emulator_run.h"
#include "tools/base/cli.h"
#include "tools/base/report_object.h"

#define COMMAND_ROW(name, group) {&cmd_##name, COMMANDS_##group},

const struct command_row commands[] = {COMMANDS_EACH(COMMAND_ROW) {0}};

struct arguments {
    const char *name;
    const struct subcommand *of; /* NULL: all */
    const char *nearest, *words; /* for the scripts of tools/; NULL: not asked */
    bool json, schema;
};

static const struct option_row options[] = {
    {"json", 'j', NULL, "print the commands with their options and examples as one JSON object", SET_FLAG(json)},
    {"schema", 0, NULL, "print the JSON Schema of what the command prints with --json", SET_FLAG(schema)},
    {"nearest", 0, "WORD|NAME...", "print the name that WORD is near to", SET_TEXT(nearest), .flags = OPTION_HIDDEN},
    {"words", 0, "LINE", "refuse words that the image would refuse", SET_TEXT(words), .flags = OPTION_HIDDEN},
    {0},
};

static void take_command(void *input, char *name, struct argp_state *state)
{
    struct arguments *a = input;

    a->of = root_command(commands, name, state);
}

static const struct argument_row command = {
    ARGUMENT(name), .many = "one command at a time: '%s' is one too many", .take = take_command,
};

#define HELP_OPTION_MEMBERS(M, O)                                                   \
    M(TEXT, name, "after --; null: only a letter")                                  \
    M(TEXT, short_, "its letter; null: it has none")                                \
    M(TEXT, argument, "what follows it; null: nothing")                             \
    M(TEXTS_OR_NULL, choices, "the only values that it takes; null: others too")    \
    M(FLAG, optional, "the argument may be left out")                               \
    M(TEXT, what, "what it is for")
REPORT_OBJECT(help_option, HELP_OPTION_MEMBERS)

#define HELP_COMMAND_MEMBERS(M, O)                                                  \
    M(TEXT, name, "name of the command")                                            \
    M(TEXT, what, "what it is for")                                                 \
    M(TEXT, group, "the group of the help that it stands in")                       \
    M(TEXT, arguments, "its arguments")                                             \
    M(TEXT, doc, "what it does; what follows a vertical tab stands after the options") \
    O(LIST, options, help_option, "its options")                                    \
    M(TEXTS, examples, "as typed in a shell")                                       \
    M(TEXT, script, "the script of tools/ that takes the words as they are, and whose options are not listed; " \
                    "null: none does")
REPORT_OBJECT(help_command, HELP_COMMAND_MEMBERS)

#define HELP_EXIT_MEMBERS(M, O)                                                     \
    M(COUNT, status, "what the program ends with")                                  \
    M(TEXT, what, "what that means")
REPORT_OBJECT(help_exit, HELP_EXIT_MEMBERS)

#define HELP_MEMBERS(M, O)                                                          \
    M(TEXT, version, "version of the program")                                      \
    O(LIST, exits, help_exit, "the exit statuses of reports; other commands say theirs") \
    O(LIST, commands, help_command, "all commands, or the one that was named")
REPORT_WHOLE(help, "cpuprobe-help-1", HELP_MEMBERS)

/* The values of "a|b|c"; NULL: anything. */
static json_t *choices_json(const char *argument)
{
    json_t *list;

    if (!argument || !strchr(argument, '|') || argument[strcspn(argument, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")])
        return NULL;
    list = json_array();
    for (size_t length; *argument; argument += length + (argument[length] == '|')) {
        length = strcspn(argument, "|");
        json_array_append_new(list, json_stringn(argument, length));
    }
    return list;
}

static json_t *option_json(const struct option_row *o)
{
    const char letter[] = {o->letter, '\0'};

    return REPORT_MAKE(help_option, .name = o->name, .short_ = *letter ? letter : NULL, .argument = o->argument,
                       .choices = choices_json(o->argument), .optional = o->flags & OPTION_ARG_OPTIONAL,
                       .what = o->what);
}

static json_t *command_json(const struct command_row *row)
{
    const struct subcommand *const c = row->command;
    const struct option_line line = subcommand_line(c);
    json_t *of = json_array(), *examples = json_array();
    const struct option_use *use;
    const struct option_row *o;

    for (size_t i = 0; !c->script && (o = option_line_row(&line, i, &use)); i++)
        if (!(o->flags & OPTION_HIDDEN))
            json_array_append_new(of, option_json(o));
    for (unsigned i = 0; i < SUBCOMMAND_EXAMPLES && c->example[i]; i++)
        json_array_append_new(examples, json_string(c->example[i]));
    return REPORT_MAKE(help_command, .name = c->name, .what = c->what, .group = command_group_title(row->group),
                       .arguments = c->args_doc ? c->args_doc : "",
                       .doc = c->doc, .options = of, .examples = examples, .script = c->script);
}

#define ADD_STATUS(code, what) REPORT_ADD(exits, help_exit, code, what);

static void print_json(const struct subcommand *only)
{
    json_t *list = json_array(), *exits = json_array();

    for (const struct command_row *c = commands; c->command; c++)
        if (!only || only == c->command)
            json_array_append_new(list, command_json(c));
    EXIT_STATUSES(ADD_STATUS)
    json_print(REPORT_MAKE(help, argp_program_version, exits, list), JSON_INDENT(1));
}

static int print_schema(const struct subcommand *of)
{
    char title[64];

    if (!of || !of->json[0]) {
        cli_error("%s", of ? "this command has no --json" : "--schema needs the name of a command");
        return EXIT_USAGE;
    }
    snprintf(title, sizeof(title), "cpuprobe %s --json", of->name);
    json_print(report_object_schema(title, of->json), JSON_INDENT(1));
    return EXIT_OK;
}

/* "WORD|NAME|NAME...": the scripts of tools/ have no edit distance of their own. */
static int print_nearest(const char *text)
{
    const struct span all = span_text(text);
    struct nearest near = {.typed = span_until(all, '|')};

    for (size_t at = near.typed.length + 1; at < all.length; ) {
        const struct span name = span_until(span_after(all, at), '|');

        nearest_offer(&near, name);
        at += name.length + 1;
    }
    if (near.name.length)
        printf("%.*s\n", (int)near.name.length, near.name.at);
    return EXIT_OK;
}

static int run_command(void *arguments)
{
    const struct arguments *a = arguments;
    char name[32];

    if (a->nearest)
        return print_nearest(a->nearest);
    if (a->words)
        return emulator_words(a->words) ? EXIT_OK : EXIT_USAGE;
    if (a->schema)
        return print_schema(a->of);
    if (a->json) {
        print_json(a->of);
        return EXIT_OK;
    }
    if (!a->of) {
        root_parse(commands, 2, (char *[]){"cpuprobe", "--help", NULL}); /* as below */
        return EXIT_OK;
    }
    snprintf(name, sizeof(name), "cpuprobe %s", a->of->name);
    return subcommand_run(a->of, 2, (char *[]){name, "--help", NULL}); /* argp ends the program */
}

const struct subcommand cmd_help = {
    .name = "help", .what = "explain the commands, or one of them", .run = run_command,
    .bytes = sizeof(struct arguments),
    .own = {options, &command}, .args_doc = "[COMMAND]", .json = {&help_object},
    .doc = "Print what the commands do, or explain one with its options and examples.",
    .example = {"cpuprobe help stat"},
};
