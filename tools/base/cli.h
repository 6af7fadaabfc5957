/* SPDX-License-Identifier: MIT */
/*
 * What the commands of the host tool share: their exit codes (docs/ACCOUNTING.md,
 * "Numbers and codes"), error messages, and standard streams.
 */
#pragma once

#include <argp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "probe/text/nearest.h"
#include "tools/base/alloc.h"

/*
 * Call this first.  Descriptors 0 to 2 are open afterwards.  At any exit the status is
 * EXIT_NO_DATA, with a message, if standard output could not be written.
 */
void cli_begin(void);

/* Seconds of CLOCK_MONOTONIC. */
double monotonic_seconds(void);

/* Print a message on standard error after the tool's name; control characters become '?'. */
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The exit codes of the host tool (docs/ACCOUNTING.md, "Numbers and codes"). */

enum exit_code {
    EXIT_OK,
    EXIT_NO_DATA, /* nothing could be read */
    EXIT_USAGE,
    EXIT_DAMAGED, /* read, but damaged or incomplete; the readable part was printed */
    EXIT_CHECK_FAILED,   /* a requested condition does not hold */
};

/* Notes the signals that ask a program to end, so that it can clean up first. */

/* The number of the signal that arrived; 0: none. */
extern volatile sig_atomic_t interrupted;

/*
 * Note SIGINT, SIGTERM and SIGHUP from now on, each once: the second signal ends the program.
 * SIGHUP stays ignored if it is, as under nohup(1).
 */
void interrupt_watch(void);

/*
 * The terminal of a report: its width, whether it gets colours, and the pager between it and standard output.  Host.
 */

enum pager_colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER }; /* in the order of PAGER_COLOURS */
#define PAGER_COLOURS "auto|always|never"

/* What the user asked for: --color, and --no-pager, which a command that never ends asks for too. */
void pager_set_colour(enum pager_colour colour);
void pager_disable(void);

/*
 * Where standard output is a terminal that can be moved on, from now on it goes through $PAGER, else less(1) where
 * there is one, with `-FRX` unless $LESS says otherwise: a report that fits on the screen stays there.
 */
void pager_begin(void);

/* At the end, after standard output was closed: wait for the pager to be left. */
void pager_end(void);

/*
 * The descriptor of the terminal that messages go to, also beside a pager that shows nothing yet; -1: there is none.
 */
int pager_terminal(void);

/* Columns of a line: COLUMNS of the environment, else of the terminal that the report is shown on; 0: neither is. */
unsigned pager_columns(void);

/* By --color; with auto where the report is shown on a terminal and NO_COLOR is not set. */
bool pager_has_colour(void);

/* Whether the locale of the environment writes block characters, which is UTF-8: else a picture is of ASCII. */
bool pager_has_blocks(void);

/* Whether TERM names a terminal whose cursor moves; false for "dumb" and none. */
bool pager_has_cursor(void);

/*
 * Writes the files that a command makes: each is in a temporary folder beside PATH until it is whole, so that an
 * older one stays as it is where a write fails; what a process that was killed has left there goes with the next
 * one.  What is no regular file (a terminal, a pipe) is written as it is.  Host.
 */

/* Have `write` fill the file at `path`, "-": standard output; an older file is replaced.  False, with a message. */
bool output_to_file(const char *path, bool (*write)(const void *what, FILE *out), const void *what);

/* The same for a folder, which must not exist or be empty. */
bool output_to_folder(const char *path, bool (*write)(const void *what, const char *folder), const void *what);

/* Finds the files that were built or installed with this program, wherever that is. */

/*
 * The path of a readable file `name`, for the caller to free: in the folder `installed`, else in `built`, both as
 * seen from the folder of this program.  NULL: it is in neither.  Host.
 */
char *own_file(const char *installed, const char *built, const char *name);

/* A choice on the command line, and which one was meant by what is none. */

/* The index of `text` among `choices`, "a|b|c"; otherwise argp_error() names them, and the nearest.  Host. */
unsigned suggest_choice(const char *text, const char *choices, const struct argp_state *state);

/*
 * The one rule for text from outside (the image, the line, a program's file)
 * before it reaches a terminal, a report or JSON: what is not ASCII from ' ' to
 * '~' is shown as '?', so that no escape sequence gets through.
 */

/* Replaces in place, up to the terminating zero. */
char *printable(char *text);

/* The same for several lines: line feeds stay. */
void printable_lines(char *text);

/* A copy of `length` bytes and a zero after them, for the caller to free. */
char *printable_copy(const char *bytes, size_t length);

/*
 * Escapes instead of replacing: \xNN for what printable() would replace, a backslash before the
 * characters of `special`.
 */
void printable_escaped(FILE *out, const char *text, size_t length, const char *special);

/*
 * Replaces in place, for a message that also names files of the user: line feeds and well-formed
 * UTF-8 stay, control characters (C0, DEL, C1) do not.
 */
void printable_sentence(char *text);

/* The same of one name, which stays on its line: line feeds are replaced too. */
void printable_name(char *text);
