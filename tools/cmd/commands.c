/* SPDX-License-Identifier: MIT */
/* The table of commands. */
#include "tools/cmd/commands.h"

#include <string.h>

#define ADDRESS(name) &cmd_##name,

const struct subcommand *const commands[] = {COMMANDS_EACH(ADDRESS) NULL};

const struct subcommand *commands_find(const char *name)
{
    for (const struct subcommand *const *c = commands; *c; c++)
        if (!strcmp((*c)->name, name))
            return *c;
    return NULL;
}
