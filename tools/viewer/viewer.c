/* SPDX-License-Identifier: MIT */
/*
 * The host tool of a page: the commands of cpuprobe that it has, each run by an instance of its own, with the words
 * that a shell would have given.
 */
#include <argp.h>
#include <stdlib.h>

#include "tools/base/cli.h"
#include "tools/cmd/commands.h"

static const struct command_row of_page[] = {{&cmd_stat, COMMANDS_LOOK}, {&cmd_report, COMMANDS_LOOK}, {0}};

int main(int argc, char **argv)
{
    struct root_choice choice;
    char name[32];

    cli_begin();
    argp_err_exit_status = EXIT_USAGE;
    choice = root_parse(of_page, argc, argv);
    if (!choice.command)
        return EXIT_USAGE;
    snprintf(name, sizeof(name), "cpuprobe %s", choice.command->name);
    argv[choice.at] = name;
    return subcommand_run(choice.command, argc - choice.at, argv + choice.at);
}

int __main_void(void); /* of WASI's C library: main() with the words that the page gives */

/* What the page calls. */
void viewer_run(void)
{
    exit(__main_void());
}
