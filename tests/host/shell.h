/* SPDX-License-Identifier: MIT */
/*
 * For tests that have the compiler, the assembler or binutils make their input
 * and their oracle: a folder of its own for each test program.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SHELL_PATH 200

static char shell_folder[] = "/tmp/cpuprobe-shell-XXXXXX";

static inline int shell_begin(void **state)
{
    (void)state;
    return mkdtemp(shell_folder) ? 0 : -1;
}

static inline int shell_end(void **state)
{
    char command[SHELL_PATH];

    (void)state;
    snprintf(command, sizeof(command), "rm -rf %s", shell_folder);
    return system(command);
}

/* The path of a file in the folder; the last eight stay good. */
static inline const char *shell_path(const char *name)
{
    static char path[8][SHELL_PATH];
    static unsigned turn;
    char *to = path[turn++ % 8];

    snprintf(to, SHELL_PATH, "%s/%s", shell_folder, name);
    return to;
}

/* Run a command in the folder; it has to end well. */
static inline void shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline void shell(const char *format, ...)
{
    char command[2000];
    int used = snprintf(command, sizeof(command), "cd %s && ", shell_folder);
    va_list arguments;

    va_start(arguments, format);
    used += vsnprintf(command + used, sizeof(command) - (size_t)used, format, arguments);
    va_end(arguments);
    assert_true(used < (int)sizeof(command));
    assert_int_equal(system(command), 0);
}

static inline void shell_write(const char *name, const char *text)
{
    FILE *out = fopen(shell_path(name), "w");

    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}
