/* SPDX-License-Identifier: MIT */
/*
 * cpuprobe, the host tool: finds the command and hands over to it.
 */
#include <argp.h>
#include <stdio.h>

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
    argp_program_version_hook = print_version;
    return root_run(commands, argc, argv);
}
