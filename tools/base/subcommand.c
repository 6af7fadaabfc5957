/* SPDX-License-Identifier: MIT */
/* An argp without options, whose children are the command's own, the shared ones, and those of all commands. */
#include "tools/base/subcommand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/help_options.h"
#include "tools/base/pager.h"
#include "tools/base/suggest.h"

struct parsing {
    const struct subcommand *command;
    char *arguments;
};

/* ---- options that every command has ---- */

enum { KEY_COLOUR = 0x700, KEY_NO_PAGER }; /* no option of a command has these numbers */

static const struct argp_option of_all[] = {
    {"color", KEY_COLOUR, PAGER_COLOURS, 0, "colours: on a terminal alone, also elsewhere, or nowhere", -2},
    {"no-pager", KEY_NO_PAGER, NULL, 0, "do not stop after each screenful", -2},
    {0},
};

static error_t parse_of_all(int key, char *text, struct argp_state *state)
{
    switch (key) {
    case KEY_COLOUR: pager_set_colour((enum pager_colour)suggest_choice(text, PAGER_COLOURS, state)); return 0;
    case KEY_NO_PAGER: pager_disable(); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp of_all_argp = {
    .options = of_all, .parser = parse_of_all, .children = (const struct argp_child[]){{.argp = &help_options_argp}, {0}},
};

/* ---- walking ---- */

static bool walk(const struct argp *argp, const struct argp_option *options, subcommand_option_taker *take, void *context)
{
    for (const struct argp_option *o = options; o && (o->name || o->key || o->doc); o++)
        if ((o->name || o->key) && take(context, o))
            return true;
    for (const struct argp_child *c = argp ? argp->children : NULL; c && c->argp; c++)
        if (walk(c->argp, c->argp->options, take, context))
            return true;
    return false;
}

bool subcommand_each_option(const struct subcommand *c, subcommand_option_taker *take, void *context)
{
    if (walk(NULL, c->options, take, context))
        return true;
    for (unsigned i = 0; i < SUBCOMMAND_SHARED && c->shared[i].argp; i++)
        if (walk(c->shared[i].argp, c->shared[i].argp->options, take, context))
            return true;
    return !c->script && walk(&of_all_argp, of_all, take, context);
}

/* ---- misspelt options ---- */

struct search {
    const char *typed; /* after "--" */
    size_t length;
    bool takes_value;
    struct nearest near;
};

static bool compare_option(void *context, const struct argp_option *o)
{
    struct search *s = context;

    if (!o->name)
        return false;
    if (!strncmp(o->name, s->typed, s->length)) { /* getopt takes any beginning that is one option's alone */
        s->takes_value = o->arg && !(o->flags & OPTION_ARG_OPTIONAL);
        return true;
    }
    nearest_offer(&s->near, span_text(o->name));
    return false;
}

/* Before argp sees them; what is near to nothing is left to its message. */
static void check_options(const struct subcommand *c, struct argp_state *state)
{
    state->name = state->argv[0]; /* argp sets it later */
    for (int i = 1; i < state->argc && strcmp(state->argv[i], "--") != 0; i++) {
        const char *const text = state->argv[i];
        struct search s = {.typed = text + 2};

        if (strncmp(text, "--", 2) != 0) {
            if (c->flags & ARGP_IN_ORDER && *text != '-')
                return;
            continue;
        }
        s.length = strcspn(s.typed, "=");
        s.near = (struct nearest){.typed = {s.typed, s.length}};
        if (subcommand_each_option(c, compare_option, &s))
            i += s.takes_value && !s.typed[s.length];
        else if (s.near.name.length)
            argp_error(state, "there is no option '--%.*s'; did you mean '--%.*s'?", (int)s.length, s.typed,
                       (int)s.near.name.length, s.near.name.at);
    }
}

/* ---- parsing ---- */

static error_t give_inputs(int key, char *text, struct argp_state *state)
{
    const struct parsing *p = state->input;

    (void)text;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = p->arguments;
    for (unsigned i = 0; i < SUBCOMMAND_SHARED && p->command->shared[i].argp; i++)
        state->child_inputs[1 + i] = p->arguments + p->command->shared[i].input;
    check_options(p->command, state);
    return 0;
}

/* The examples, after everything else. */
static char *with_examples(int key, const char *text, void *input)
{
    const struct parsing *p = input;
    char *help = NULL;
    size_t length;
    FILE *out;

    if (key != ARGP_KEY_HELP_EXTRA || !p || !p->command->example[0])
        return (char *)text;
    out = open_memstream(&help, &length);
    if (!out)
        return (char *)text;
    fputs("Examples:\n", out);
    for (unsigned i = 0; i < SUBCOMMAND_EXAMPLES && p->command->example[i]; i++)
        fprintf(out, "  %s\n", p->command->example[i]);
    fclose(out);
    return help;
}

void subcommand_parse(const struct subcommand *c, int argc, char **argv, void *arguments)
{
    const struct argp own = {.options = c->options, .parser = c->parser};
    struct argp_child children[SUBCOMMAND_SHARED + 3] = {{.argp = &own}};
    const struct argp whole = {
        .parser = give_inputs, .children = children, .args_doc = c->args_doc, .doc = c->doc, .help_filter = with_examples,
    };
    struct parsing p = {c, arguments};
    unsigned count = 1;

    for (unsigned i = 0; i < SUBCOMMAND_SHARED && c->shared[i].argp; i++)
        children[count++].argp = c->shared[i].argp;
    children[count].argp = &of_all_argp;
    argp_parse(&whole, argc, argv, c->flags | ARGP_NO_HELP, NULL, &p);
    if (!c->live)
        pager_begin();
}
