/* SPDX-License-Identifier: MIT */
/*
 * Declares what the host tool uses of argp, which WASI's C library lacks: the same names, less help.  Nobody types at
 * a page: its command lines are those of tools/viewer/page/.
 */
#pragma once

#include <limits.h>
#include <stdio.h>

typedef int error_t;

#define ARGP_ERR_UNKNOWN 7

#define ARGP_KEY_ARG           0
#define ARGP_KEY_END           0x1000001
#define ARGP_KEY_INIT          0x1000003
#define ARGP_KEY_HELP_POST_DOC 0x2000002
#define ARGP_KEY_HELP_EXTRA    0x2000004

#define ARGP_IN_ORDER      1
#define ARGP_NO_HELP       2
#define ARGP_HELP_STD_HELP 1
#define ARGP_HELP_USAGE    2
#define ARGP_HELP_EXIT_OK  4

#define OPTION_ARG_OPTIONAL 1
#define OPTION_HIDDEN       2

struct argp_option {
    const char *name;
    int key;
    const char *arg;
    int flags;
    const char *doc;
    int group;
};

struct argp_state {
    int argc;
    char **argv;
    int next;
    unsigned arg_num;
    void *input;
    char *name;
    FILE *out_stream;
};

struct argp {
    const struct argp_option *options;
    error_t (*parser)(int key, char *arg, struct argp_state *state);
    const char *args_doc, *doc;
    const void *children;
    char *(*help_filter)(int key, const char *text, void *input);
};

extern const char *argp_program_version;
extern void (*argp_program_version_hook)(FILE *out, struct argp_state *state);
extern int argp_err_exit_status;

error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index, void *input);

/* A sentence on standard error; the program ends. */
_Noreturn void argp_error(const struct argp_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
_Noreturn void argp_state_help(const struct argp_state *state, FILE *out, unsigned flags);
