/* SPDX-License-Identifier: MIT */
/* Declares how a command begins, tells errors and ends: standard streams, messages, exit codes, a clock. */
#pragma once

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
