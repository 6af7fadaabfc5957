/* SPDX-License-Identifier: MIT */
/*
 * What the subcommands of the host tool share: their table, their exit codes
 * (docs/ACCOUNTING.md, "Numbers and codes"), how they complain, and their standard streams.
 */
#ifndef TOOLS_COMMAND_H
#define TOOLS_COMMAND_H

#include <stddef.h>

enum exit_code {
    EXIT_WELL,
    EXIT_NOTHING, /* nothing could be read */
    EXIT_USAGE,
    EXIT_DAMAGED, /* read, but damaged or incomplete; what there is was printed */
    EXIT_FAILS,   /* what was asked to hold does not */
};

struct subcommand {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is "cpuprobe NAME" */
    const char *what;
};

int cmd_record(int argc, char **argv);
int cmd_control(int argc, char **argv);
int cmd_zoom(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_script(int argc, char **argv);
int cmd_histogram(int argc, char **argv);
int cmd_samples(int argc, char **argv);
int cmd_transitions(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_time(int argc, char **argv);
int cmd_audit(int argc, char **argv);

/*
 * Before anything else: descriptors 0 to 2 are open from here on, and the end of the
 * program, whichever way it ends, is EXIT_NOTHING with a sentence where standard
 * output could not be written.
 */
void command_begin(void);

/* A sentence on standard error, after the tool's name; what would harm a terminal becomes '?'. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory or the end of the program; `count` elements of `size` bytes. */
void *need(void *old, size_t count, size_t size);

/* Room for one more behind `count` elements: doubled, so that growing costs no more than writing. */
void *need_one_more(void *old, size_t count, size_t size);

#endif
