/* SPDX-License-Identifier: MIT */
/*
 * The host tool of a page: the commands of cpuprobe that it has, each run by an instance of its own, with the words
 * that a shell would have given.
 */
#include <stdlib.h>

#include "tools/cmd/commands.h"

static const struct command_row of_page[] = {{&cmd_stat, COMMANDS_LOOK}, {&cmd_report, COMMANDS_LOOK}, {0}};

int main(int argc, char **argv)
{
    return root_run(of_page, argc, argv);
}

int __main_void(void); /* of WASI's C library: main() with the words that the page gives */

/* What the page calls. */
void viewer_run(void)
{
    exit(__main_void());
}
