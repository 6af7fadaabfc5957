/* SPDX-License-Identifier: MIT */
/*
 * cpuprobe, the host tool: finds the command and hands over to it.
 */
#include <argp.h>
#include <stdio.h>

#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/serve/http_server.h"

static void print_version(FILE *out, struct argp_state *state)
{
    (void)state;
    fprintf(out, "%s\n", argp_program_version);
    if (http_server_missing)
        fprintf(out, "%s\n", http_server_missing);
}

int main(int argc, char **argv)
{
    struct root_choice choice;
    char name[32];

    cli_begin();
    argp_err_exit_status = EXIT_USAGE;
    argp_program_version_hook = print_version;
    choice = root_parse(commands, argc, argv);
    if (!choice.command)
        return EXIT_USAGE;
    snprintf(name, sizeof(name), "cpuprobe %s", choice.command->name);
    argv[choice.at] = name;
    return subcommand_run(choice.command, argc - choice.at, argv + choice.at);
}
