/* SPDX-License-Identifier: MIT */
/* An argp without options, whose children are the command's own and the shared ones. */
#include "tools/base/subcommand.h"

struct parsing {
    const struct subcommand *command;
    char *arguments;
};

static error_t give_inputs(int key, char *text, struct argp_state *state)
{
    const struct parsing *p = state->input;

    (void)text;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = p->arguments;
    for (unsigned i = 0; i < SUBCOMMAND_SHARED && p->command->shared[i].argp; i++)
        state->child_inputs[1 + i] = p->arguments + p->command->shared[i].input;
    return 0;
}

void subcommand_parse(const struct subcommand *c, int argc, char **argv, void *arguments)
{
    const struct argp own = {.options = c->options, .parser = c->parser};
    const struct argp_child children[SUBCOMMAND_SHARED + 2] = {{.argp = &own}, {.argp = c->shared[0].argp}, {.argp = c->shared[1].argp}};
    const struct argp whole = {.parser = give_inputs, .children = children, .args_doc = c->args_doc, .doc = c->doc};
    struct parsing p = {c, arguments};

    argp_parse(&whole, argc, argv, c->flags, NULL, &p);
}
