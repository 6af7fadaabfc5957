/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe boot`, `run` and `shell`: this process becomes the script, which was built or installed with it, so that
 * its words, its exit status and its signals are the script's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/cli.h"
#include "tools/base/own_file.h"
#include "tools/cmd/commands.h"

#define TYPED "CPUPROBE_TYPED" /* what the script calls itself in messages */

static int become(const struct subcommand *c, char **argv)
{
    char *const script = own_file("../lib/cpuprobe/tools", "../tools", c->script);

    if (!script) {
        cli_error("%s is not in ../lib/cpuprobe/tools of this program's folder, nor in its ../tools", c->script);
        return EXIT_NO_DATA;
    }
    if (!setenv(TYPED, argv[0], true)) {
        argv[0] = script;
        execv(script, argv);
    }
    cli_error("%s: %s", script, strerror(errno));
    free(script);
    return EXIT_NO_DATA;
}

const struct subcommand cmd_boot = {
    .name = "boot", .what = "boot the image in an emulator", .words = become, .script = "boot", .live = true,
    .args_doc = "[--] [key=value...]\n--task FILE [ARG...] [-- [key=value...]]",
    .doc = "Boot the image in QEMU or Bochs with these configuration words, and print what it sends on its "
           "serial line.",
    .example = {"cpuprobe boot -- seconds=2", "cpuprobe boot -o run.dump -- seconds=2 output=frames"},
};

const struct subcommand cmd_run = {
    .name = "run", .what = "run a static Linux program and say where its time goes", .words = become, .script = "run",
    .live = true, .args_doc = "FILE [ARG...]\n--compare OLD NEW [ARG...]",
    .doc = "Run a static Linux program as a task of the image in QEMU; print what it wrote, its table, its hottest "
           "functions and lines.",
    .example = {"cpuprobe run ./primes"},
};

const struct subcommand cmd_shell = {
    .name = "shell", .what = "boot the image and talk to its shell at this terminal", .words = become,
    .script = "shell", .live = true, .args_doc = "[key=value...]",
    .doc = "Boot the image in QEMU with these configuration words; the keys go to its shell.  Ctrl-] leaves.",
    .example = {"cpuprobe shell tasks=hog1"},
};
