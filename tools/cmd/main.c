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
#include "tools/cmd/root.h"

#define TEXT_OF(x)   #x
#define NUMBER_OF(x) TEXT_OF(x)

const char *argp_program_version =
    "cpuprobe " CPUPROBE_VERSION " (protocol " NUMBER_OF(WIRE_MAJOR) "." NUMBER_OF(WIRE_MINOR) ")";

int main(int argc, char **argv)
{
    struct root_choice choice = {NULL, 0};
    char name[32];

    cli_begin();
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&root_argp, argc, argv, ARGP_IN_ORDER | ARGP_NO_HELP, NULL, &choice);
    if (!choice.command)
        return EXIT_USAGE;
    snprintf(name, sizeof(name), "cpuprobe %s", choice.command->name);
    argv[choice.at] = name;
    return choice.command->run(argc - choice.at, argv + choice.at);
}
